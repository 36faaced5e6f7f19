"""Networks as collections offer them: lists of edges in plain text, Pajek, Matrix Market, adjacency lists, graph6."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np
import pyarrow as pa
import pytest
import scipy.io
import scipy.sparse

from covey.errors import InputError
from covey.network.formats import SUFFIXES, network_format, read_network
from covey.network.reading import as_network, from_columns

if TYPE_CHECKING:
    from pathlib import Path

SNAP = "# Undirected graph: ../../data/output/small.txt\n# Nodes: 4 Edges: 4\n# FromNodeId\tToNodeId\n3\t1\n1\t10\n10\t3\n3\t7\n"
TRIANGLE_AND_TAIL = {frozenset((3, 1)), frozenset((1, 10)), frozenset((10, 3)), frozenset((3, 7))}


def edges_of(network: Any) -> set[frozenset[Any]]:
    tails, heads, _ = network.edges()
    return {frozenset((network.names[a], network.names[b])) for a, b in zip(tails, heads, strict=True)}


@pytest.mark.parametrize("name", ["small.txt", "small.tsv", "small.edgelist", "small.edges", "small.txt.gz"])
def test_a_list_as_snap_writes_it(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(gzip.compress(SNAP.encode()) if name.endswith(".gz") else SNAP.encode())
    network = read_network(path).network
    assert edges_of(network) == TRIANGLE_AND_TAIL
    assert list(network.names) == [3, 1, 10, 7]  # by first appearance


@pytest.mark.parametrize(
    ("text", "length", "expected"),
    [
        ("1 2\n2   3\n", None, [1, 2, 3]),
        ("  1\t 2  \r\n2 3 # near\r\n\r\n", None, [1, 2, 3]),
        ("% sym unweighted\nb a 2.5\na c 1\n", "weight", ["b", "a", "c"]),
        ("b a 2.5\na c 1\n", "length", ["b", "a", "c"]),
        ("b a {'km': 2.5}\na c {'km': 1}\n", "km", ["b", "a", "c"]),
        ("1 2 1 1082040961\n2 3 1 1082155839\n", "length", [1, 2, 3]),
        ("01 1\n1 001\n", None, ["01", "1", "001"]),
        ("1 b\nb 2\n", None, ["1", "b", "2"]),
        ("\ufeff5 6\n6 -7\n", None, [5, 6, -7]),
    ],
)
def test_spaces_tabs_comments_and_lengths(tmp_path: Path, text: str, length: str | None, expected: list[Any]) -> None:
    path = tmp_path / "few.edgelist"
    path.write_bytes(text.encode())
    network = read_network(path, length).network
    assert (list(network.names), network.m) == (expected, 2)
    if length is not None:
        assert network.lengths is not None
        assert sorted(set(network.lengths.tolist())) == ([1.0] if "108" in text else [1.0, 2.5])


def test_what_networkx_writes_is_read(tmp_path: Path) -> None:
    graph = nx.les_miserables_graph()
    nx.write_edgelist(nx.convert_node_labels_to_integers(graph), tmp_path / "a.edgelist")
    nx.write_weighted_edgelist(nx.convert_node_labels_to_integers(graph), tmp_path / "b.edgelist")
    nx.write_adjlist(graph, tmp_path / "c.adjlist", delimiter=" ")
    nx.write_pajek(graph, tmp_path / "d.net")
    nx.write_graph6(nx.convert_node_labels_to_integers(graph), tmp_path / "e.g6")
    total = sum(weight for *_, weight in graph.edges(data="weight"))
    for name, length in (("a.edgelist", "weight"), ("b.edgelist", "weight"), ("d.net", "weight")):
        network = read_network(tmp_path / name, length).network
        assert (network.n, network.m) == (77, 254)
        assert network.lengths is not None
        assert network.lengths.sum() == 2 * total
    assert edges_of(read_network(tmp_path / "d.net").network) == set(map(frozenset, graph.edges))
    assert read_network(tmp_path / "e.g6").network.m == 254


def test_matrix_market_counts_from_one(tmp_path: Path) -> None:
    matrix = scipy.sparse.coo_array(np.array([[0, 2.5, 0], [2.5, 0, 1], [0, 1, 0]]))
    scipy.io.mmwrite(tmp_path / "few.mtx", matrix, symmetry="symmetric")
    network = read_network(tmp_path / "few.mtx", "weight").network
    assert edges_of(network) == {frozenset((1, 2)), frozenset((2, 3))}
    assert network.lengths is not None
    assert sorted(network.lengths.tolist()) == [1.0, 1.0, 2.5, 2.5]
    scipy.io.mmwrite(tmp_path / "one-way.mtx", scipy.sparse.coo_array(np.array([[0, 1], [0, 0]])))
    with pytest.raises(InputError, match="not symmetric"):
        read_network(tmp_path / "one-way.mtx")


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("Zoe\n", "the first has 1 field"),
        ("a Zoe\nb\n", "the first has 2 fields, and others have"),
        ("a Zoe {'km'\n", "dictionary"),
        ("a b Zoe {'km': 2}\n", "some have 3 fields"),
        ("# Zoe\n", "no edges"),
        ("From Zoe\n1 2\n2 3\n", "--no-header"),
        ("1 2 3 4 Zoe\n", "the first has 5 fields"),
    ],
)
def test_what_is_no_list_is_said_without_quoting_it(tmp_path: Path, text: str, match: str) -> None:
    path = tmp_path / "bad.edgelist"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=match) as caught:
        read_network(path)
    assert "Zoe" not in str(caught.value)


def test_a_line_of_names_is_one_where_that_is_said(tmp_path: Path) -> None:
    path = tmp_path / "named.edgelist"
    path.write_text("From Zoe\n1 2\n2 3\n", encoding="utf-8")
    assert read_network(path, header=True).network.m == 2
    assert read_network(path, header=False).network.m == 3


def test_a_length_that_is_not_there_is_told_what_it_is_called(tmp_path: Path) -> None:
    path = tmp_path / "few.edgelist"
    path.write_text("1 2 5\n", encoding="utf-8")
    with pytest.raises(InputError, match="'length' or 'weight', as the third column is called"):
        read_network(path, "km")
    path.write_text("1 2\n", encoding="utf-8")
    with pytest.raises(InputError, match="two fields"):
        read_network(path, "km")


def test_an_unknown_suffix_is_told_all_that_work(tmp_path: Path) -> None:
    path = tmp_path / "people.graph"
    path.write_text("1 2\n", encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_network(path)
    assert all(suffix in str(caught.value) for suffix in SUFFIXES)
    assert read_network(path, fmt="edgelist").network.m == 1
    with pytest.raises(InputError, match="edgelist"):
        network_format("people.csv", "graph")


def test_lengths_beyond_a_double_and_triples_without_a_name() -> None:
    with pytest.raises(InputError, match="beyond 1e308"):
        as_network([(0, 1, 10**400)], "length")
    with pytest.raises(InputError, match="third items of triples are 'length'"):
        as_network([(0, 1, 2.5)], "km")


@pytest.mark.parametrize("seed", range(4))
def test_columns_of_one_type_are_numbered_as_one_by_one(seed: int) -> None:
    rng = np.random.default_rng(seed)
    ends = rng.integers(0, 6, (9, 2))
    for values in (ends, ends.astype(str)):
        table = pa.table({"source": values[:, 0], "target": values[:, 1], "km": rng.integers(1, 4, 9)})
        quick = as_network(table, "km")
        columns = [table[name].to_pylist() for name in table.column_names]
        slow = from_columns(columns[0], columns[1], np.array(columns[2], dtype=np.float64), None)
        assert list(quick.names) == list(slow.names)
        assert (quick.loops, quick.repeated) == (slow.loops, slow.repeated)
        for name in ("indptr", "indices", "lengths"):
            assert np.array_equal(getattr(quick, name), getattr(slow, name))
