"""Clusterings side by side: each setting is what it is alone, and what survives is measured on what is drawn."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np
import pytest

from covey import cli
from covey.errors import OptionError
from covey.network import compare, microaggregate, release
from covey.network.publish.utility import assortativity, clustering, degrees_moved, modularity
from covey.network.reading import as_network
from tests.network.publish.releases import chunks, people

if TYPE_CHECKING:
    from pathlib import Path


def test_every_setting_is_what_it_is_alone() -> None:
    graph = nx.les_miserables_graph()
    comparison = compare(graph, [3, 5], methods=["carving"], samples=2, seed=7)
    asked = [(one.lower, one.method, one.connected) for one in comparison.settings]
    assert asked == [(k, "carving", linked) for k in (3, 5) for linked in (False, True)]
    for one in comparison.settings:
        alone = microaggregate(graph, one.lower, connected=one.connected, method="carving")
        assert (one.status, one.radius, one.total) == (alone.status, alone.radius, alone.total)
        done = release(graph, one.lower, connected=one.connected, solution=alone, seed=7, ledger=False)
        drawn = [done.sample(7 + number).network for number in range(2)]
        assert one.survival is not None
        assert one.survival.clustering == pytest.approx(np.mean([clustering(net) for net in drawn]))
        moved = np.mean([degrees_moved(as_network(graph), net) for net in drawn])
        assert one.survival.degrees_moved == pytest.approx(moved)
    assert comparison.original.clustering == pytest.approx(nx.average_clustering(graph))
    assert comparison.original.degrees_moved == 0.0


def test_a_setting_without_clusters_says_why_and_names_nobody() -> None:
    graph = nx.disjoint_union(nx.cycle_graph(8), nx.path_graph(3))
    settings = compare(graph, [3, 4], connected=[True], samples=1).settings
    assert (settings[0].status, settings[0].error) == ("optimal", "")
    assert settings[1].status == "infeasible"
    assert "3 vertices, fewer than lower = 4" in settings[1].error
    kept = compare(graph, [4], connected=[True], samples=1, small_components="suppress").settings
    assert kept[0].survival is not None
    some_bad: tuple[dict[str, Any], ...] = ({"lower": []}, {"lower": "3"}, {"methods": []}, {"samples": 0})
    for bad in some_bad:
        with pytest.raises(OptionError):
            compare(graph, **{"lower": [3], **bad})


@pytest.mark.parametrize("seed", range(6))
def test_assortativity_and_modularity_by_their_definitions(seed: int) -> None:
    graph = nx.gnp_random_graph(30, 0.05 + seed / 20, seed=seed)
    network = as_network(graph)
    if network.m and np.ptp(network.degrees) > 0:
        assert assortativity(network) == pytest.approx(nx.degree_pearson_correlation_coefficient(graph))
    communities = nx.community.louvain_communities(graph, seed=0)
    assert modularity(network) == pytest.approx(nx.community.modularity(graph, communities) if network.m else 0.0)
    assert assortativity(as_network(nx.cycle_graph(5))) == 0.0
    assert modularity(as_network(nx.empty_graph(5))) == 0.0


def test_the_command_prints_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    nx.write_edgelist(nx.karate_club_graph(), tmp_path / "karate.edgelist")
    source = ["network", "compare", str(tmp_path / "karate.edgelist"), "--methods", "carving", "--samples", "1"]
    assert cli.main([*source, "--lower", "3,5", "--connected"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 4
    assert lines[1].split()[0] == "original"
    assert cli.main([*source, "--lower", "40", "--json"]) == 1  # no setting has clusters
    rows = json.loads(capsys.readouterr().out)
    assert [row["method"] for row in rows] == ["original", "carving", "carving"]
    assert all("fewer than lower = 40" in row["error"] for row in rows[1:])


def test_links_of_a_super_graph_have_weights_and_samples_are_graphs(tmp_path: Path) -> None:
    graph = people(40, density=0.3)
    done = release(graph, 5, solution=chunks(graph, 5), counts="suppress", seed=1)
    for counts in ("suppress", "round"):
        links = release(graph, 5, solution=chunks(graph, 5), counts=counts, seed=1).to_networkx().edges(data=True)
        assert all(data.get("weight") == data.get("edges") for *_, data in links)
        assert any("weight" in data for *_, data in links)
    drawn = done.sample(3)
    assert drawn.to_networkx().number_of_edges() == drawn.network.m
    assert set(nx.get_node_attributes(drawn.to_networkx(), "cluster").values()) == set(
        done.vertices["cluster"].to_pylist()
    )
    drawn.write(tmp_path / "drawn.graphml")
    assert nx.read_graphml(tmp_path / "drawn.graphml").number_of_nodes() == 40
    drawn.write(tmp_path / "drawn.csv")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["drawn-edges.csv", "drawn.csv", "drawn.graphml"]
    with pytest.raises(Exception, match="exists"):
        drawn.write(tmp_path / "drawn.csv")
