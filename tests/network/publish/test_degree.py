"""Graphs with anonymous degrees: every small graph, then random ones."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from covey.errors import InfeasibleError, OptionError, RefusedError
from covey.network.publish.degree import release as module
from covey.network.publish.degree.release import degree_anonymous
from covey.network.publish.degree.switches import realise
from covey.network.publish.degree.targets import degree_targets, is_graphical
from covey.network.publish.recount import degree_anonymity
from covey.network.reading import as_network
from tests.network.publish.releases import people

if TYPE_CHECKING:
    from pathlib import Path


def anonymity(degrees: Any) -> int:
    return min(Counter(degrees).values())


def graphs(n: int) -> list[Any]:
    """All graphs on n vertices."""
    pairs = list(combinations(range(n), 2))
    found = []
    for chosen in product((False, True), repeat=len(pairs)):
        graph = nx.empty_graph(n)
        graph.add_edges_from(pair for pair, there in zip(pairs, chosen, strict=True) if there)
        found.append(graph)
    return found


def test_graphical_is_what_some_graph_has() -> None:
    for n in range(1, 6):
        some = {tuple(sorted(dict(graph.degree).values())) for graph in graphs(n)}
        for degrees in product(range(n + 1), repeat=n):
            assert is_graphical(np.array(degrees)) == (tuple(sorted(degrees)) in some)


def test_targets_are_nearly_always_the_nearest() -> None:
    """Over every degree sequence of up to 6 vertices, against every k-anonymous sequence that some graph has."""
    beyond = Counter[int]()
    for n in range(2, 7):
        sequences = [d for d in product(range(n), repeat=n) if is_graphical(np.array(d))]
        for k in range(2, n + 1):
            allowed = np.array([d for d in sequences if anonymity(d) >= k])
            for degrees in sequences:
                if list(degrees) != sorted(degrees):
                    continue
                found = degree_targets(np.array(degrees), k)
                assert anonymity(found.tolist()) >= k
                assert is_graphical(found)
                least = int(np.abs(allowed - np.array(degrees)).sum(axis=1).min())
                beyond[int(np.abs(found - degrees).sum()) - least] += 1
    assert min(beyond) == 0
    assert max(beyond) <= 4  # what the repair of an odd sum or of no graph costs
    assert beyond[0] >= 0.98 * beyond.total()


def test_every_small_graph_gets_one() -> None:
    """All graphs of up to 6 vertices."""
    for graph in nx.graph_atlas_g():
        for k in range(2, graph.number_of_nodes() + 1 if graph.number_of_nodes() < 7 else 2):
            after = degree_anonymous(graph, k, seed=0).to_networkx()
            assert after.number_of_nodes() == graph.number_of_nodes()
            assert anonymity(dict(after.degree).values()) >= k


@given(
    n=st.integers(2, 40),
    density=st.floats(0.0, 1.0),
    k=st.integers(2, 10),
    seed=st.integers(0, 2**40),
)
def test_a_graph_that_is_returned_is_anonymous(n: int, density: float, k: int, seed: int) -> None:
    graph = nx.gnp_random_graph(n, density, seed=seed)
    least = min(k, n)
    done = degree_anonymous(graph, least, seed=seed)
    rows = [(row["source"], row["target"]) for row in done.edges.to_pylist()]
    degree = Counter(end for row in rows for end in row)
    counted = Counter(degree[name] for name in done.vertices["vertex"].to_pylist())
    assert min(counted.values()) >= least
    assert len({frozenset(row) for row in rows}) == len(rows)
    assert done.certificate.public["k_achieved"] == min(counted.values())


@pytest.mark.parametrize("seed", range(20))
def test_switches_reach_any_degrees_that_a_graph_has(seed: int) -> None:
    rng = np.random.RandomState(seed)
    before = nx.gnp_random_graph(20, rng.random_sample(), seed=seed)
    wanted = nx.gnp_random_graph(20, rng.random_sample(), seed=seed + 100)
    targets = np.array([wanted.degree[v] for v in range(20)])
    after = realise(as_network(before), targets, np.random.RandomState(0))
    assert after.degrees.tolist() == targets.tolist()


def test_degrees_that_no_graph_has_are_an_error() -> None:
    with pytest.raises(InfeasibleError, match="no graph with these degrees"):
        realise(as_network(nx.path_graph(4)), np.array([3, 3, 1, 1]), np.random.RandomState(0))


def test_little_is_changed_where_little_is_needed() -> None:
    graph = nx.barabasi_albert_graph(1000, 3, seed=1)
    done = degree_anonymous(graph, 5, seed=1, measure=True)
    measured = {one.measure: one for one in done.report.measures}
    assert measured["edge overlap"].after > 0.95
    assert measured["unique by degree"].before
    assert measured["unique by degree"].after == 0
    assert measured["fewer than 5 by degree"].after == 0
    assert all(one.before is None for one in done.report.public().measures)
    assert "edge overlap" not in {one.measure for one in done.report.public().measures}


def test_nothing_names_a_vertex(tmp_path: Path) -> None:
    done = degree_anonymous(people(40, 2), 4)
    for kind in ("graphml", "gexf", "gml", "csv"):
        done.write(tmp_path / f"out.{kind}", report=tmp_path / f"{kind}.html", certificate=tmp_path / f"{kind}.json")
    text = "".join(path.read_text(encoding="utf-8") for path in tmp_path.iterdir())
    assert "Zaphod" not in text
    assert "Upper Marsh" not in text
    assert "seed" not in text
    shuffled = [degree_anonymous(people(40, 2), 4, seed=seed).edges for seed in (1, 1, 2)]
    assert shuffled[0].equals(shuffled[1])
    assert not shuffled[0].equals(shuffled[2])


def test_a_graph_that_falls_short_is_refused_and_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert degree_anonymity([("a", "b"), ("b", "c")], "abcd") == 1
    for wrong in ([("a", "a")], [("a", "b"), ("b", "a")], [("a", "x")]):
        with pytest.raises(RefusedError):
            degree_anonymity(wrong, "abcd")
    with monkeypatch.context() as patch:
        patch.setattr(module, "degree_targets", lambda degrees, _k: degrees)
        with pytest.raises(RefusedError, match="recount"):
            degree_anonymous(nx.star_graph(5), 3)
    done = degree_anonymous(nx.star_graph(5), 3)
    with pytest.raises(RefusedError, match="recount"):
        done.recount(done.vertices.to_pydict(), {"source": ["v1"], "target": ["v2"]})
    object.__setattr__(done, "k", 7)
    with pytest.raises(RefusedError, match="recount"):
        done.write(tmp_path / "out.graphml")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("k", [0, 1, 9, 2.5, True])
def test_k_that_makes_no_sense(k: Any) -> None:
    with pytest.raises(OptionError):
        degree_anonymous(nx.path_graph(8), k)
