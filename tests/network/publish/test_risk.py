"""What an attacker knows of a vertex's place, against slow definitions."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

import networkx as nx
import numpy as np
import pytest

from covey import cli
from covey.network.publish.attacks import check, degree_classes, ego_classes, neighbourhood_classes
from covey.network.publish.degree.release import degree_anonymous
from covey.network.publish.release import release
from covey.network.publish.risk import structure_risk
from covey.network.reading import as_network
from tests.network.publish.releases import chunks, people

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("seed", range(12))
def test_classes_by_their_definitions(seed: int) -> None:
    rng = np.random.RandomState(seed)
    graph = nx.gnp_random_graph(int(rng.randint(1, 60)), rng.random_sample() ** 2, seed=seed)
    network = as_network(graph)
    degrees = Counter(dict(graph.degree).values())
    assert degree_classes(network).tolist() == [degrees[graph.degree[v]] for v in graph]
    around = {v: tuple(sorted(graph.degree[w] for w in graph[v])) for v in graph}
    shared = Counter(around.values())
    assert neighbourhood_classes(network).tolist() == [shared[around[v]] for v in graph]


def test_shares_before_and_after() -> None:
    star, ring = as_network(nx.star_graph(5)), as_network(nx.cycle_graph(6))
    found = {one.measure: (one.before, one.after) for one in structure_risk(star, ring, 3)}
    assert found["unique by degree"] == pytest.approx((1 / 6, 0.0))
    assert found["fewer than 3 by degree"] == pytest.approx((1 / 6, 0.0))
    assert found["unique by neighbourhood"] == pytest.approx((1 / 6, 0.0))


def test_a_super_graph_singles_out_nobody() -> None:
    graph = people(40, 1, 0.2)
    done = release(graph, 5, solution=chunks(graph, 5), measure=True, seed=1)
    found = {one.measure: one for one in done.report.measures}
    assert (found["unique by neighbourhood"].before or 0.0) > 0.5
    assert found["unique by neighbourhood"].after == 0.0
    assert found["fewer than 5 by degree"].after == 0.0
    assert found["chance to find a vertex"].after == 1 / 5
    sizes = {row["cluster"]: row["size"] for row in done.vertices.to_pylist()}
    shares = [row["edges_low"] / (row["size"] * (row["size"] - 1) / 2) for row in done.vertices.to_pylist()]
    shares += [row["edges_low"] / (sizes[row["source"]] * sizes[row["target"]]) for row in done.edges.to_pylist()]
    assert found["confidence in a link"].after == pytest.approx(max(shares))


def test_neighbourhoods_of_every_small_graph_are_told_apart_as_drawings_are() -> None:
    """All graphs of up to 6 vertices at once: the classes are those of isomorphism, the vertex fixed."""
    whole = nx.disjoint_union_all([graph for graph in nx.graph_atlas_g() if 1 <= len(graph) <= 6])
    around = {v: whole.subgraph(whole[v]) for v in whole}
    rough: dict[object, list[list[int]]] = {}
    for v, shape in around.items():
        alike = rough.setdefault((len(shape), *sorted(dict(shape.degree).values())), [])
        for group in alike:
            if nx.is_isomorphic(shape, around[group[0]]):
                group.append(v)
                break
        else:
            alike.append([v])
    sizes = {v: len(group) for groups in rough.values() for group in groups for v in group}
    assert ego_classes(as_network(whole)).tolist() == [sizes[v] for v in whole]


def test_what_is_published_is_checked_for_three_attackers(tmp_path: Path) -> None:
    graph = nx.karate_club_graph()
    done = degree_anonymous(graph, 5, seed=1)
    done.write(tmp_path / "out.graphml")
    found = {one.known: one for one in check(tmp_path / "out.graphml", 5)}
    assert (found["degree"].below, found["degree"].least >= 5) == (0, True)
    unique = int((neighbourhood_classes(as_network(done.to_networkx())) == 1).sum())
    assert found["neighbours' degrees"].unique == unique > 15
    assert any(f"{unique} of 34 vertices" in note.text for note in done.report.public().notes)
    clusters = release(graph, 4, solution=chunks(graph, 4), seed=1)
    clusters.write(tmp_path / "clusters.graphml")
    assert {(one.unique, one.below, one.least) for one in check(tmp_path / "clusters.graphml", 4)} == {(0, 0, 4)}


def test_the_command_says_who_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    nx.write_edgelist(nx.karate_club_graph(), tmp_path / "karate.edgelist")
    assert cli.main(["network", "check", str(tmp_path / "karate.edgelist"), "-k", "3", "--json"]) == 1
    rows = json.loads(capsys.readouterr().out)
    assert [row["known"] for row in rows] == ["degree", "neighbours' degrees", "1-neighbourhood"]
    assert rows[0]["unique"] == 6
    assert (
        cli.main(
            [
                "network",
                "degree",
                str(tmp_path / "karate.edgelist"),
                "-o",
                str(tmp_path / "o.csv"),
                "-k",
                "3",
                "--quiet",
            ]
        )
        == 0
    )
    assert "are unique by the degrees of their neighbours" in capsys.readouterr().err
