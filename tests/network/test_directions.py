"""Directed networks: their arcs from everything that has some, and distances that follow them."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import igraph
import networkx as nx
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import scipy.io
import scipy.sparse as sp

from covey.errors import InfeasibleError, InputError, OptionError
from covey.network import microaggregate
from covey.network.directions import round_trips
from covey.network.formats import read_network
from covey.network.reading import as_network

if TYPE_CHECKING:
    from pathlib import Path

    from covey.network.graph import Network

ARCS = [("a", "b", 1.5), ("b", "a", 2.0), ("c", "a", 0.5), ("c", "d", 1.0)]
ENDS = [(tail, head) for tail, head, _ in ARCS]
NUMBERS = {name: number for number, name in enumerate("abcd")}


def digraph() -> Any:
    graph = nx.DiGraph()
    graph.add_nodes_from("abcd")
    graph.add_weighted_edges_from(ARCS, weight="km")
    return graph


def matrix() -> Any:
    rows, columns, values = zip(*((NUMBERS[t], NUMBERS[h], w) for t, h, w in ARCS), strict=True)
    return sp.coo_array((values, (rows, columns)), shape=(4, 4))


def forms() -> list[Any]:
    columns = {"source": [e[0] for e in ARCS], "target": [e[1] for e in ARCS], "km": [e[2] for e in ARCS]}
    return [
        (digraph(), "km", None),
        (nx.MultiDiGraph(digraph()), "km", None),
        (igraph.Graph.TupleList(ARCS, edge_attrs=["km"], directed=True), "km", None),
        (matrix(), "data", True),
        (ARCS, "length", True),
        (pd.DataFrame(columns), "km", True),
        (pa.table(columns), "km", True),
    ]


def arcs_of(network: Network) -> dict[tuple[str, str], float]:
    """The arcs by the names of their ends."""
    assert network.arcs is not None
    tails, heads, lengths = network.arcs
    values = np.ones(len(tails)) if lengths is None else lengths
    names = [name if isinstance(name, str) else "abcd"[int(name)] for name in network.names]
    return {(names[t], names[h]): float(w) for t, h, w in zip(tails, heads, values, strict=True)}


@pytest.mark.parametrize(("graph", "length", "directed"), forms())
def test_the_same_arcs_from_everything(graph: Any, length: str, directed: bool | None) -> None:  # noqa: FBT001
    network = as_network(graph, length, directed=directed)
    assert arcs_of(network) == {(tail, head): w for tail, head, w in ARCS}
    assert set(arcs_of(as_network(graph, directed=directed)).values()) == {1.0}
    assert (network.n, network.m, network.repeated, network.directed) == (4, 3, 0, True)
    assert "arcs" in repr(network)
    assert any("directed" in note.text for note in network.notes)
    dropped = as_network(graph, length, directed=False)
    assert (dropped.m, dropped.directed, dropped.notes) == (3, False, ())
    assert sorted(dropped.edges()[2].tolist()) == [0.5, 1.0, 1.5]  # type: ignore[union-attr]  # the shorter of both ways


@pytest.mark.parametrize("kind", ["graphml", "gexf", "gml", "net", "edgelist", "csv", "mtx"])
def test_the_same_arcs_from_files(tmp_path: Path, kind: str) -> None:
    path, directed = tmp_path / f"network.{kind}", None
    graph = nx.DiGraph(ENDS)
    if kind in ("edgelist", "csv", "mtx"):
        directed = True
        if kind == "csv":
            pd.DataFrame(ENDS, columns=["source", "target"]).to_csv(path, index=False)
        elif kind == "mtx":
            scipy.io.mmwrite(path, matrix())
        else:
            nx.write_edgelist(graph, path, data=False)
    else:
        {"graphml": nx.write_graphml, "gexf": nx.write_gexf, "gml": nx.write_gml, "net": nx.write_pajek}[kind](
            graph, path
        )
    network = read_network(path, directed=directed).network
    if kind == "mtx":
        network = as_network([(network.names[t] - 1, network.names[h] - 1) for t, h in _pairs(network)], directed=True)
    assert set(arcs_of(network)) == set(ENDS)
    assert not read_network(path, directed=False).network.directed


def _pairs(network: Network) -> list[tuple[int, int]]:
    assert network.arcs is not None
    return list(zip(network.arcs.tails.tolist(), network.arcs.heads.tolist(), strict=True))


def test_loops_and_repeated_arcs_are_left_out_and_counted() -> None:
    given = [(0, 1, 3.0), (1, 0, 2.0), (0, 1, 1.0), (1, 1, 1.0), (1, 2, 1.0)]
    network = as_network(given, "length", directed=True)
    assert (network.loops, network.repeated) == (1, 1)
    assert network.arcs is not None
    assert network.arcs.lengths is not None
    assert network.arcs.lengths.tolist() == [1.0, 2.0, 1.0]


def test_what_has_no_directions_is_refused_where_they_are_asked_for(tmp_path: Path) -> None:
    nx.write_graphml(nx.path_graph(3), tmp_path / "path.graphml")
    for graph in (nx.path_graph(3), igraph.Graph([(0, 1)]), as_network([(0, 1)])):
        with pytest.raises(InputError, match="has no directions"):
            as_network(graph, directed=True)
    with pytest.raises(InputError, match="has no directions"):
        read_network(tmp_path / "path.graphml", directed=True)
    with pytest.raises(InputError, match="not symmetric.*directed=True"):
        as_network(matrix())
    with pytest.raises(OptionError, match="directed is 'yes'"):
        as_network(ENDS, directed="yes")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="no directions"):
        microaggregate(ENDS, 2, follow_directions=True)
    with pytest.raises(OptionError, match="beside follow_directions"):
        microaggregate(digraph(), 2, connected=True, follow_directions=True)
    with pytest.raises(InfeasibleError, match="at most 2000"):
        microaggregate(nx.cycle_graph(2001, create_using=nx.DiGraph), 2, follow_directions=True)


def a_digraph(n: int, seed: int, *, weighted: bool) -> Any:
    rng = np.random.RandomState(seed)
    graph = nx.gnp_random_graph(n, 0.1 + 0.4 * rng.random_sample(), seed=seed, directed=True)
    if weighted:
        nx.set_edge_attributes(graph, {edge: int(rng.randint(0, 9)) for edge in graph.edges}, "km")
    return graph


def longer_way(graph: Any, length: str | None) -> dict[tuple[int, int], float]:
    """The definition: of the shortest ways there and back the longer one, where there are both."""
    ways = dict(nx.all_pairs_dijkstra_path_length(graph, weight=lambda _u, _v, data: data.get(length, 1)))
    return {(u, v): max(ways[u][v], ways[v][u]) for u in graph for v in graph if v in ways[u] and u in ways[v]}


@pytest.mark.parametrize("length", [None, "km"])
@pytest.mark.parametrize("seed", range(15))
def test_round_trips_by_their_definition(seed: int, length: str | None) -> None:
    graph = a_digraph(3 + seed, seed, weighted=True)
    trips = round_trips(as_network(graph, length))
    expected = longer_way(graph, length)
    made = nx.Graph()
    made.add_nodes_from(range(trips.n))
    tails, heads, lengths = trips.edges()
    assert lengths is not None
    made.add_weighted_edges_from(zip(tails.tolist(), heads.tolist(), lengths.tolist(), strict=True))
    assert {(u, v): far for u, near in nx.all_pairs_dijkstra_path_length(made) for v, far in near.items()} == expected


def partitions(n: int, lower: int) -> list[list[list[int]]]:
    """All partitions into clusters of at least `lower`."""
    found: list[list[list[int]]] = [[]]
    for v in range(n):
        found = [
            [*clusters[:place], [*clusters[place], v], *clusters[place + 1 :]]
            if place < len(clusters)
            else [*clusters, [v]]
            for clusters in found
            for place in range(len(clusters) + 1)
        ]
    return [clusters for clusters in found if min(map(len, clusters)) >= lower]


@pytest.mark.parametrize("seed", range(20))
def test_the_least_radius_along_directions_is_that_of_all_partitions(seed: int) -> None:
    graph = a_digraph(6, seed, weighted=bool(seed % 2))
    length = "km" if seed % 2 else None
    far = longer_way(graph, length)
    radii = [
        max(min(max(far.get((c, v), np.inf) for v in cluster) for c in graph) for cluster in clusters)
        for clusters in partitions(6, 2)
    ]
    solution = microaggregate(graph, 2, length=length, follow_directions=True)
    assert solution.status == ("infeasible" if min(radii) == np.inf else "optimal")
    if min(radii) < np.inf:
        assert solution.radius == min(radii)


def test_distances_ignore_directions_unless_asked() -> None:
    one_way = nx.path_graph(6, create_using=nx.DiGraph)
    solution = microaggregate(one_way, 3)
    assert (solution.status, solution.radius) == ("optimal", 1.0)
    assert any("ignore directions" in note.text for note in solution.notes)
    assert microaggregate(one_way, 3, follow_directions=True).status == "infeasible"
    there_and_back = itertools.chain(one_way.edges, [(v, u) for u, v in one_way.edges])
    both = microaggregate(list(there_and_back), 3, directed=True, follow_directions=True)
    assert (both.status, both.radius) == ("optimal", 1.0)
