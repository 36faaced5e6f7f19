"""Components that are smaller than a cluster must be: refused, or not published, and said."""

from __future__ import annotations

import networkx as nx
import pytest

from covey import Partition
from covey.errors import InfeasibleError, OptionError
from covey.network.publish.release import release


def test_small_components_are_refused_or_not_published_and_said() -> None:
    graph = nx.disjoint_union(nx.path_graph(12), nx.path_graph(3))
    graph.add_node(99)
    nx.set_node_attributes(graph, {v: i + 0.25 for i, v in enumerate(graph)}, "age")
    nx.set_edge_attributes(graph, {edge: 1.0 + i for i, edge in enumerate(graph.edges)}, "km")
    with pytest.raises(InfeasibleError, match=r"2 components are that small.*small_components='suppress'"):
        release(graph, 4)
    for length in (None, "km"):
        done = release(graph, 4, small_components="suppress", length=length, numeric=["age"], seed=1, measure=True)
        assert sum(done.vertices["size"].to_pylist()) == 12
        total = sum(
            s * a for s, a in zip(done.vertices["size"].to_pylist(), done.vertices["age"].to_pylist(), strict=True)
        )
        assert total == pytest.approx(sum(range(12)) + 3)
        assert "4 vertices of components below lower = 4 are not published" in map(str, done.report.notes)
        assert any("not published" in note.text for note in done.report.public().notes)
        assert not any("4 vertices" in note.text for note in done.report.public().notes)
    whole = release(nx.path_graph(12), 4, small_components="suppress", seed=1)
    assert not any("not published" in note.text for note in whole.report.public().notes)
    with pytest.raises(InfeasibleError, match="nothing is left to release"):
        release(nx.path_graph(3), 4, small_components="suppress")
    with pytest.raises(OptionError, match="needed: one of error, suppress"):
        release(graph, 4, small_components="merge")
    with pytest.raises(OptionError, match="beside a solution"):
        release(nx.path_graph(8), 4, solution=Partition([0] * 4 + [1] * 4), small_components="suppress")
