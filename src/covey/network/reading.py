"""What callers have for a network becomes a `Network`: networkx, igraph, a scipy matrix, a list or table of edges."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.errors import InputError, OptionError, shown
from covey.network.graph import Network, build, check_size
from covey.utils.arrow import pa
from covey.utils.frame import is_frame

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.utils.arrow import Column, Table

_MATRIX_LENGTH = "data"
_LIST_LENGTH = "length"
_ENDS = (("source", "target"), ("from", "to"))
"""What the columns of a table are called that name the ends of its edges."""
_NUMBERINGS = {"", "id", "edge", "edge_id", "edgeid", "edge id", "index", "row", "nr", "no", "number"}


def as_network(
    graph: Any, length: str | None = None, vertices: Sequence[Any] | None = None, *, directed: bool | None = None
) -> Network:
    """Take a network as it is at hand.

    Parameters
    ----------
    graph
        A graph of networkx or igraph, directed or not; a scipy matrix, whose stored entries are the edges; a
        dataframe with the columns source and target (else from and to, else its first two); or the edges as pairs, as triples with a
        length or a dictionary of attributes, or as an array of two columns.
    length
        The edge attribute that holds the lengths; None: every edge has length 1. The entries of a matrix are named
        "data", the third items of triples "length".
    vertices
        For edge lists and dataframes: all vertices, so that some may have no edge. Others in the edges are an error.
    directed
        Whether edges have directions, from the first end to the second (of a matrix from row to column). None: those of a directed
        graph of networkx or igraph have, others have none, and a matrix must be symmetric. False: directions are dropped.

    >>> as_network([("ada", "ben"), ("ben", "cat")]).names
    ['ada', 'ben', 'cat']
    """
    if length is not None and not isinstance(length, str):
        raise OptionError(f"length is {shown(length)}; needed: None or the name of an edge attribute")
    if directed is not None and not isinstance(directed, bool | np.bool_):
        raise OptionError(f"directed is {shown(directed)}; needed: None, True or False")
    if isinstance(graph, Network):
        if length is not None and graph.lengths is None:
            raise _no_length(length)
        return graph if has_directions(graph.directed, directed) else replace(graph, arcs=None)
    if _is_a("networkx", "Graph", graph):
        return _from_networkx(graph, length, has_directions(graph.is_directed(), directed))
    if _is_a("igraph", "Graph", graph):
        return _from_igraph(graph, length, has_directions(graph.is_directed(), directed))
    if "scipy.sparse" in sys.modules and sys.modules["scipy.sparse"].issparse(graph):
        return _from_matrix(graph, length, directed)
    if is_frame(graph):
        return _from_frame(graph, length, vertices, bool(directed))
    return _from_edges(graph, length, vertices, bool(directed))


def _is_a(module: str, name: str, graph: Any) -> bool:
    return module in sys.modules and isinstance(graph, getattr(sys.modules[module], name))


def has_directions(known: bool, asked: bool | None) -> bool:  # noqa: FBT001
    """Whether the edges of a graph that knows if it is directed keep directions; an error where it has none and they are asked for."""
    if asked and not known:
        msg = "directed is True, and the graph has no directions; needed: a directed one; leave it out, or give the edges as a list"
        raise InputError(msg)
    return known if asked is None else bool(asked)


def _from_networkx(graph: Any, length: str | None, directed: bool) -> Network:  # noqa: FBT001
    names = list(graph)
    number = {name: position for position, name in enumerate(names)}
    pairs = ((number[u], number[v]) for u, v in graph.edges())
    ends = np.fromiter((end for pair in pairs for end in pair), dtype=np.int64).reshape(-1, 2)
    lengths = None if length is None else _as_lengths([value for *_, value in graph.edges(data=length)], length)
    return build(len(names), ends[:, 0], ends[:, 1], lengths, names, directed=directed)


def _from_igraph(graph: Any, length: str | None, directed: bool) -> Network:  # noqa: FBT001
    ends = np.asarray(graph.get_edgelist(), dtype=np.int64).reshape(-1, 2)
    if length is not None and length not in graph.es.attributes():
        raise _no_length(length)
    lengths = None if length is None else _as_lengths(graph.es[length], length)
    names = list(graph.vs["name"]) if "name" in graph.vs.attributes() else range(graph.vcount())
    return build(graph.vcount(), ends[:, 0], ends[:, 1], lengths, names, directed=directed)


def _from_matrix(graph: Any, length: str | None, directed: bool | None) -> Network:  # noqa: FBT001
    if len(graph.shape) != 2 or graph.shape[0] != graph.shape[1]:
        raise InputError(f"the matrix has shape {graph.shape}; needed: as many rows as columns")
    if length not in (None, _MATRIX_LENGTH):
        raise _no_length(length, f"the entries of a matrix are {_MATRIX_LENGTH!r}")
    entries = graph.tocoo()
    tails, heads = entries.coords if hasattr(entries, "coords") else (entries.row, entries.col)
    n = graph.shape[0]
    check_size(n)
    lengths = _as_lengths(entries.data, _MATRIX_LENGTH) if length is not None else None
    if directed is None:
        _check_symmetric(n, tails.astype(np.int64), heads.astype(np.int64), lengths)
    return build(n, tails, heads, lengths, range(n), directed=bool(directed))


def _check_symmetric(n: int, tails: NDArray[Any], heads: NDArray[Any], lengths: NDArray[np.float64] | None) -> None:
    there, back = np.argsort(tails * n + heads, kind="stable"), np.argsort(heads * n + tails, kind="stable")
    same = np.array_equal((tails * n + heads)[there], (heads * n + tails)[back])
    if not same or (lengths is not None and not np.array_equal(lengths[there], lengths[back], equal_nan=True)):
        raise InputError(
            "the matrix is not symmetric; needed: the same entry both ways; or say that edges have directions (directed=True, --directed), or that these are dropped (directed=False, --undirected)"
        )


def ends_of(columns: Sequence[str]) -> tuple[str, str]:
    """The two columns of a table that name the ends of its edges: source and target, or from and to, else the first two.

    An error where the first of more than two is named as one that numbers the rows.

    >>> ends_of(["weight", "target", "source"]), ends_of(["id", "From", "To"]), ends_of(["person", "friend", "since"])
    (('source', 'target'), ('From', 'To'), ('person', 'friend'))
    """
    if {*_ENDS[0]} <= {*columns}:
        return _ENDS[0]
    known = {name.strip().casefold(): name for name in columns}
    for one, other in _ENDS:
        if one in known and other in known:
            return known[one], known[other]
    first, second = columns[:2]
    if len(columns) > 2 and first.strip().casefold() in _NUMBERINGS:
        msg = f"the table of edges has the columns {first!r}, {second!r} and others, and the first is named as one that numbers rows; needed: columns named source and target; rename the two that name the ends"
        raise InputError(msg)
    return first, second


def _from_frame(graph: Any, length: str | None, vertices: Sequence[Any] | None, directed: bool) -> Network:  # noqa: FBT001
    named = _columns(graph)
    if len(set(named)) < len(named):
        raise InputError("the table of edges has two columns of one name; needed: a name for each; rename them first")
    names = {str(name): name for name in named}
    if len(names) < 2:
        raise InputError(f"the table of edges has {len(names)} columns; needed: source and target")
    ends = ends_of(list(names))
    if length is not None and length not in names:
        raise _no_length(length)
    if isinstance(graph, pa.Table) and vertices is None and _is_plain(graph, ends):
        lengths = None if length is None else _as_lengths(graph[length], length)
        return _from_arrow(graph[ends[0]], graph[ends[1]], lengths, directed=directed)
    columns = {
        name: graph[own].to_pylist() if hasattr(graph[own], "to_pylist") else graph[own].to_list()
        for name, own in names.items()
        if name in (*ends, length)
    }
    lengths = None if length is None else _as_lengths(columns[length], length)
    return from_columns(columns[ends[0]], columns[ends[1]], lengths, vertices, directed=directed)


def _from_arrow(sources: Column, targets: Column, lengths: NDArray[np.float64] | None, *, directed: bool) -> Network:
    """As `from_columns`, without a loop over the edges: both ends of one type, of text or whole numbers."""
    _check_ends(sources.null_count, targets.null_count, len(sources))
    ends = pa.chunked_array([*sources.chunks, *targets.chunks], type=sources.type).combine_chunks()
    in_turn = np.arange(2 * len(sources), dtype=np.int64).reshape(2, -1).T.reshape(-1)  # an edge after the other
    encoded = ends.take(pa.array(in_turn)).dictionary_encode()
    number = encoded.indices.to_numpy(zero_copy_only=False).astype(np.int64).reshape(-1, 2)
    names = encoded.dictionary.to_pylist()
    return build(len(names), number[:, 0], number[:, 1], lengths, names, directed=directed)


def _is_plain(table: Table, ends: tuple[str, ...]) -> bool:
    """Whether the ends of the edges are columns of one type, of text or of whole numbers."""
    one, other = (table.schema.field(end).type for end in ends)
    return bool(one.equals(other) and (pa.types.is_integer(one) or pa.types.is_string(one)))


def _columns(graph: Any) -> list[Any]:
    return list(graph.column_names) if hasattr(graph, "column_names") else list(graph.columns)


def _from_edges(graph: Any, length: str | None, vertices: Sequence[Any] | None, directed: bool) -> Network:  # noqa: FBT001
    if isinstance(graph, np.ndarray):
        if graph.ndim != 2 or graph.shape[1] not in (2, 3):
            raise InputError(f"the edges have shape {graph.shape}; needed: two columns, or three with lengths")
        if graph.dtype.kind in "iu" and graph.shape[1] == 2 and length is None and vertices is None:
            return _from_numbers(graph, directed=directed)
        graph = graph.tolist()
    if isinstance(graph, str | bytes | Mapping) or not isinstance(graph, Iterable):
        msg = f"the network is {shown(graph)}; needed: a networkx or igraph graph, a scipy matrix, or a list or table of edges"
        raise InputError(msg)
    edges = [tuple(edge) if isinstance(edge, Sequence) and not isinstance(edge, str | bytes) else () for edge in graph]
    wrong = sum(len(edge) not in (2, 3) for edge in edges)
    if wrong:
        msg = f"{wrong} of {len(edges)} edges are no pairs of vertices; needed: (u, v), or (u, v, length or attributes)"
        raise InputError(msg)
    if length not in (None, _LIST_LENGTH) and any(len(edge) > 2 and not isinstance(edge[2], Mapping) for edge in edges):
        raise _no_length(length, f"the third items of triples are {_LIST_LENGTH!r}, or dictionaries that name them")
    lengths = None if length is None else _as_lengths([_length_of(edge, length) for edge in edges], length)
    return from_columns([edge[0] for edge in edges], [edge[1] for edge in edges], lengths, vertices, directed=directed)


def _from_numbers(ends: NDArray[Any], *, directed: bool) -> Network:
    """An array of whole numbers, without a loop over its edges; vertices by first appearance."""
    names, first, number = np.unique(ends, return_index=True, return_inverse=True)
    order = np.argsort(first)
    place = np.empty(len(names), dtype=np.int64)
    place[order] = np.arange(len(names))
    number = place[number.reshape(-1)].reshape(-1, 2)
    return build(len(names), number[:, 0], number[:, 1], None, names[order].tolist(), directed=directed)


def _length_of(edge: tuple[Any, ...], length: str) -> Any:
    if len(edge) < 3:
        return None
    if isinstance(edge[2], Mapping):
        return edge[2].get(length)
    return edge[2] if length == _LIST_LENGTH else None


def _is_missing(name: Any) -> bool:
    try:
        return name is None or bool(name != name)  # noqa: PLR0124
    except (TypeError, ValueError):  # pandas says of its missing value that it cannot say
        return type(name).__name__ == "NAType"


def _check_ends(sources: int, targets: int, edges: int) -> None:
    missing = sources or targets
    if missing:
        msg = (
            f"{missing} of {edges} edges miss one of their ends; needed: two vertices for each; drop those edges first"
        )
        raise InputError(msg)


def from_columns(
    sources: Sequence[Any],
    targets: Sequence[Any],
    lengths: NDArray[np.float64] | None,
    vertices: Sequence[Any] | None,
    *,
    directed: bool = False,
) -> Network:
    """A network from two columns of vertex names; vertices are numbered as given, else by first appearance."""
    _check_ends(sum(map(_is_missing, sources)), sum(map(_is_missing, targets)), len(sources))
    names: list[Any] = list(vertices) if vertices is not None else []
    number = {name: position for position, name in enumerate(names)}
    if len(number) != len(names):
        raise InputError(f"{len(names) - len(number)} vertices are given more than once; needed: each once")
    ends = np.empty((len(sources), 2), dtype=np.int64)
    try:
        for position, (tail, head) in enumerate(zip(sources, targets, strict=True)):
            ends[position, 0] = number.setdefault(tail, len(number))
            ends[position, 1] = number.setdefault(head, len(number))
    except TypeError:
        msg = "some ends of edges are lists or other things that cannot name a vertex; needed: text, numbers or tuples"
        raise InputError(msg) from None
    alike = len(number) - len({str(name) for name in number})
    if alike:
        raise InputError(
            f"{alike} vertices differ from others in their type alone, as 2 and '2' do; needed: one type for both ends of the "
            "edges; convert one of the columns"
        )
    if vertices is not None and len(number) > len(names):
        msg = f"{len(number) - len(names)} vertices of the edges are not among the {len(names)} given; needed: all of them"
        raise InputError(msg)
    return build(len(number), ends[:, 0], ends[:, 1], lengths, list(number), directed=directed)


def _as_lengths(values: Any, length: str) -> NDArray[np.float64]:
    if isinstance(values, pa.ChunkedArray):
        if pa.types.is_integer(values.type) or pa.types.is_float64(values.type):
            return np.asarray(values.cast(pa.float64(), safe=False).to_numpy(), dtype=np.float64)
        values = values.to_pylist()
    if all(value is None for value in values) and len(values):
        raise _no_length(length)
    try:
        return np.array([np.nan if value is None else float(value) for value in values], dtype=np.float64)
    except OverflowError:
        msg = f"the edge attribute {length!r} holds whole numbers beyond 1e308; needed: smaller lengths; divide all of them by the same number"
        raise InputError(msg) from None
    except (TypeError, ValueError):
        msg = f"the edge attribute {length!r} holds values that are no numbers; needed: a length for each edge"
        raise InputError(msg) from None


def _no_length(length: str | None, known: str = "") -> InputError:
    known = f"; {known}" if known else ""
    return InputError(
        f"no edge has the attribute {length!r}; needed: the name of the one that holds the lengths, or None{known}"
    )
