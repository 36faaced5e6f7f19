"""Networks as callers have them: the same graph from everything, and clear errors for what is none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import igraph
import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp

from covey.errors import InputError, OptionError
from covey.network import microaggregate
from covey.network.formats import read_network
from covey.network.reading import as_network

if TYPE_CHECKING:
    from pathlib import Path

EDGES = [("a", "b", 1.5), ("b", "c", 2.0), ("c", "a", 0.5), ("c", "d", 1.0)]


def weighted() -> Any:
    graph = nx.Graph()
    graph.add_weighted_edges_from(EDGES, weight="km")
    return graph


def forms() -> list[Any]:
    columns = {"source": [e[0] for e in EDGES], "target": [e[1] for e in EDGES], "km": [e[2] for e in EDGES]}
    graph = weighted()
    other = igraph.Graph.TupleList(EDGES, edge_attrs=["km"])
    matrix = nx.to_scipy_sparse_array(graph, weight="km")
    return [
        (graph, "km"),
        (other, "km"),
        (matrix, "data"),
        (sp.csr_matrix(matrix), "data"),
        (EDGES, "length"),
        ([(u, v, {"km": w}) for u, v, w in EDGES], "km"),
        (pd.DataFrame(columns), "km"),
        (pl.DataFrame(columns), "km"),
        (pa.table(columns), "km"),
        (pd.DataFrame({"x": columns["source"], "y": columns["target"], "km": columns["km"]}), "km"),
    ]


@pytest.mark.parametrize(("graph", "length"), forms())
def test_the_same_network_from_everything(graph: Any, length: str) -> None:
    expected = as_network(weighted(), "km")
    for name in (None, length):
        network = as_network(graph, name)
        tails, heads, lengths = network.edges()
        found = {
            frozenset((t, h)): 1.0 if lengths is None else lengths[i]
            for i, (t, h) in enumerate(zip(tails, heads, strict=True))
        }
        tails, heads, lengths = as_network(weighted(), None if name is None else "km").edges()
        wanted = {
            frozenset((t, h)): 1.0 if lengths is None else lengths[i]
            for i, (t, h) in enumerate(zip(tails, heads, strict=True))
        }
        assert found == wanted
    assert (network.n, network.m) == (expected.n, expected.m)
    assert list(network.names) in (["a", "b", "c", "d"], [0, 1, 2, 3])


def test_an_array_of_edges_is_numbered_by_appearance() -> None:
    network = as_network(np.array([[7, 3], [3, 9]]))
    assert list(network.names) == [7, 3, 9]
    assert network.indices.tolist() == [1, 0, 2, 1]


def test_loops_and_repeated_edges_are_left_out_and_counted() -> None:
    network = as_network([(0, 1, 3.0), (1, 0, 2.0), (0, 1, 5.0), (1, 1, 1.0), (1, 2, 1.0)], "length")
    assert (network.m, network.loops, network.repeated) == (2, 1, 2)
    assert network.lengths is not None
    assert network.lengths.tolist() == [2.0, 2.0, 1.0, 1.0]
    assert len(microaggregate([(0, 0), (0, 1)], 2).notes) == 1


def test_an_edge_written_from_both_ends_is_one() -> None:
    assert as_network([(0, 1), (1, 0)]).notes == ()


def test_multigraphs_keep_the_shortest_edge() -> None:
    graph = nx.MultiGraph()
    graph.add_weighted_edges_from([(0, 1, 4.0), (0, 1, 2.0), (1, 2, 1.0)], weight="km")
    network = as_network(graph, "km")
    assert network.edges()[2].tolist() == [2.0, 1.0]  # type: ignore[union-attr]
    assert network.repeated == 1


def test_vertices_without_edges_can_be_given() -> None:
    assert as_network([("a", "b")], vertices=["b", "a", "c"]).names == ["b", "a", "c"]


@pytest.mark.parametrize(
    ("graph", "length", "match"),
    [
        (nx.Graph(), None, "no vertices"),
        ([], None, "no vertices"),
        (weighted(), "miles", "no edge has the attribute 'miles'"),
        ([(0, 1, -1.0)], "length", "1 of 1 edges have a negative length"),
        ([(0, 1, float("nan")), (1, 2, 1.0)], "length", "1 of 2 edges have a length that is missing"),
        ([(0, 1, float("inf"))], "length", "infinite"),
        ([(0, 1, "far")], "length", "no numbers"),
        ([(0, 1), (1, 2, 3.0)], "length", "1 of 2"),
        ([(0,)], None, "no pairs"),
        ("abc", None, "needed: a networkx"),
        ({"a": 1}, None, "needed: a networkx"),
        (3, None, "needed: a networkx"),
        (sp.csr_array(np.array([[0, 1], [0, 0]])), None, "not symmetric"),
        (sp.csr_array(np.array([[0.0, 1.0], [2.0, 0.0]])), "data", "not symmetric"),
        (sp.csr_array(np.ones((2, 3))), None, "as many rows"),
        (np.zeros((3, 4)), None, "two columns"),
        ([("a", None)], None, "miss one of their ends"),
        (pd.DataFrame({"a": [1]}), None, "1 columns"),
    ],
)
def test_what_is_no_network(graph: Any, length: str | None, match: str) -> None:
    with pytest.raises(InputError, match=match) as caught:
        as_network(graph, length)
    assert "needed" in str(caught.value)


def test_no_message_shows_a_vertex() -> None:
    for bad in ([("SECRET", None)], [("SECRET", "x", -1.0)], [("SECRET",)]):
        with pytest.raises(InputError) as caught:
            as_network(bad, "length")
        assert "SECRET" not in str(caught.value)
    with pytest.raises(InputError, match="1 vertices of the edges") as caught:
        as_network([("SECRET", "b")], vertices=["b"])
    assert "SECRET" not in str(caught.value)
    with pytest.raises(InputError, match="more than once"):
        as_network([("a", "b")], vertices=["a", "b", "a"])


@pytest.mark.parametrize(
    ("asked", "match"),
    [
        ({"lower": 3, "upper": 2}, "lower of at most upper"),
        ({"lower": 0}, "lower is 0"),
        ({"lower": 2.5}, "an integer"),
        ({"lower": 2, "upper": "x"}, "upper is 'x'"),
        ({"lower": 2, "distance": -1}, "distance is -1"),
        ({"lower": 2, "distance": float("nan")}, "distance is nan"),
        ({"lower": 2, "connected": "yes"}, "True or False"),
        ({"lower": 2, "objective": "both"}, "no objective"),
        ({"lower": 2, "method": "magic"}, "no method 'magic'"),
        ({"lower": 2, "method": None}, "no method None"),
        ({"lower": 2, "length": 3}, "length is 3"),
        ({"lower": 2, "time_limit": -1}, "time_limit is -1"),
        ({"lower": 2, "seed": 1}, "options seed are for a method"),
        ({"lower": 2, "method": "milp", "seed": 1}, "has no option seed"),
        ({"lower": 2, "method": "pipeline"}, "cannot find"),
    ],
)
def test_bad_options(asked: dict[str, Any], match: str) -> None:
    with pytest.raises(OptionError, match=match):
        microaggregate([(0, 1), (1, 2)], **asked)


def test_ends_that_differ_in_their_type_alone_are_an_error() -> None:
    """2 and '2' would be two vertices: a person in two clusters."""
    with pytest.raises(InputError, match="2 vertices differ from others in their type alone"):
        as_network(pd.DataFrame({"source": [1, 2, 3], "target": ["2", "3", "4"]}))


def test_numbers_and_text_of_a_file_are_the_same_vertices(tmp_path: Path) -> None:
    (tmp_path / "m.csv").write_text("source,target\n1,2\n2,3\n3,4\n4,5\n5,6\n6,x7\n")
    network = read_network(tmp_path / "m.csv").network
    assert (network.n, network.m) == (7, 6)


@pytest.mark.parametrize(
    ("graph", "length", "match"),
    [
        ([([1], [2])], None, "cannot name a vertex"),
        (
            pd.DataFrame({"source": pd.array([1, None], dtype="Int64"), "target": [2, 3]}),
            None,
            "miss one of their ends",
        ),
        (pd.DataFrame([[1, 2]], columns=["source", "source"]), None, "two columns of one name"),
        ([(v, v + 1, 1.7e308) for v in range(8)], "length", "add up to more"),
        (as_network([(0, 1)]), "km", "no edge has the attribute 'km'"),
    ],
)
def test_what_else_is_no_network(graph: Any, length: str | None, match: str) -> None:
    with pytest.raises(InputError, match=match):
        as_network(graph, length)


@pytest.mark.parametrize("asked", [{"distance": 10**400}, {"time_limit": 10**400}, {"time_limit": "x"}])
def test_numbers_that_are_none(asked: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        microaggregate([(0, 1), (1, 2)], 2, **asked)


def test_a_solution_is_frozen() -> None:
    with pytest.raises(AttributeError, match="cannot be changed"):
        microaggregate([(0, 1), (1, 2)], 2).radius = 0.0


def test_a_tree_on_which_highs_failed() -> None:
    """Without limits on every variable HiGHS crashed on such trees, `upper` below 2 lower - 1; see serving.py."""
    for seed in range(6):
        graph = nx.random_labeled_tree(44, seed=seed)
        rng = np.random.default_rng(seed)
        nx.set_edge_attributes(graph, {edge: float(rng.random()) for edge in graph.edges}, "km")
        assert microaggregate(graph, 3, 4, length="km").status == "optimal"
