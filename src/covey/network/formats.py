"""Networks in files: files of graphs, lists of edges, and tables of edges as `covey.io` reads them. Never pickle."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from covey.errors import InputError, OptionError, OutputError
from covey.io import delimited
from covey.io.header import no_header
from covey.io.inputs import guarded
from covey.io.location import SUFFIXES as TABLE_SUFFIXES
from covey.io.location import Location, locate, locate_output, suffix_of
from covey.io.reading import read, read_published
from covey.io.writing import WRITERS
from covey.network.graph_files import GRAPHS, READ_ONLY, read_graph
from covey.network.lists import LENGTHS, is_list, read_list
from covey.network.reading import as_network, ends_of
from covey.network.two_files import check_beside, check_no_links, edges_beside, is_of_vertices
from covey.utils.arrow import Table, pa, pc
from covey.utils.extras import load

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from covey.io.loaded import Loaded
    from covey.network.graph import Network
    from covey.utils.notes import Note

    Columns = dict[str, list[Any]]

TEXTS = ("csv", "tsv")
TABLES = (*TEXTS, "parquet", "arrow", "jsonl")
FORMATS = (*GRAPHS.values(), *TABLES)
"""What a network is written as."""
LISTS = {".edgelist": "edgelist", ".edges": "edgelist", ".el": "edgelist"}
SUFFIXES = {**GRAPHS, **READ_ONLY, **LISTS, **TABLE_SUFFIXES}
"""What a network is read from."""
_MAYBE_LISTS = (".txt", ".tsv", ".tab")
_PICKLES = (".pickle", ".pkl", ".gpickle", ".p", ".joblib")
_WRITERS: dict[str, Callable[[Any, Path], Any]] = {
    "csv": delimited.write,
    "tsv": lambda table, path: delimited.write(table, path, delimiter="\t"),
    **WRITERS,
}


class LoadedNetwork(NamedTuple):
    """A network, the attributes of its vertices by name, and what was noticed while reading."""

    network: Network
    attributes: Mapping[str, Any]
    notes: tuple[Note, ...]


def network_format(path: str | Path, fmt: str | None = None, what: str = "the network") -> str:
    """The format of a file: as told, else by its suffix.

    >>> network_format("people.graphml")
    'graphml'
    """
    suffix, _ = suffix_of(Path(path).name)
    is_output = what == "the output"
    if suffix in _PICKLES or fmt in ("pickle", "gpickle"):
        msg = f"{what} {Path(path).name!r} is a pickle, which can run code when it is read; needed: {', '.join(FORMATS)}; convert it first"
        raise InputError(msg)
    known = FORMATS if is_output else tuple(dict.fromkeys(SUFFIXES.values()))
    if fmt is not None and fmt not in known:
        raise InputError(f"there is no format {fmt!r} for networks; known: {', '.join(known)}")
    special = fmt or SUFFIXES.get(suffix, "")
    if special in GRAPHS.values() or (special in (*READ_ONLY.values(), *LISTS.values()) and not is_output):
        return special
    if fmt is None and suffix not in SUFFIXES and Path(path).is_file():
        raise InputError(
            f"{what} {Path(path).name!r} has a suffix that tells no format; needed: one of {', '.join(SUFFIXES)}, or the format "
            f"({', '.join(known)}); say which (format, --format)"
        )
    place = locate_output(path, format=fmt) if is_output else locate(path, format=fmt, what=what)
    if place.place in ("folder", "remote") or (is_output and place.compression):
        error = OutputError if is_output else InputError
        raise error(f"{what} is {place.public!r}; needed: one plain file on this machine; name one, or copy it here")
    if is_output and place.format not in FORMATS:
        raise OutputError(f"a network cannot be written as {place.format!r}; needed: one of {', '.join(FORMATS)}")
    return place.format


def read_network(
    path: str | Path,
    length: str | None = None,
    fmt: str | None = None,
    *,
    header: bool | None = None,
    directed: bool | None = None,
) -> LoadedNetwork:
    """Read a network from a file.

    A table is a list of edges, with the columns source and target, else from and to, else its first two; or it holds the vertices of a
    network that Covey published, whose edges are in the file beside it. A text file whose first line is a comment (#)
    is a list of edges with spaces or tabs between, as SNAP writes them. XML that declares a document type is
    refused: entities are what XML bombs are made of, and no such format needs them. Error messages show nothing of the file.
    `header` says whether the first line of a text file names the columns, else they are column1, column2, ...: without it, a first
    line that looks like an edge is an error. `directed` says whether edges have directions: without it, what the file says.
    """
    chosen, file = network_format(path, fmt), Path(path)
    suffix, compression = suffix_of(file.name)
    place = Location("file", "csv", file, compression=compression)
    if chosen in LISTS.values() or (fmt is None and suffix in _MAYBE_LISTS and is_list(place)):
        table = guarded(file.name, lambda: read_list(place, file.name, header=header), "list of edges")
        _check_third(file.name, table, length)
        return LoadedNetwork(as_network(_one_type(table), length, directed=directed), {}, ())
    if chosen not in (*GRAPHS.values(), *READ_ONLY.values()):
        loaded = read(path, format=fmt, header=header)
        if is_of_vertices(loaded.table.column_names):
            return _of_two_files(file, chosen, loaded, length, directed)
        check_no_links(file, loaded.table.column_names)
        if header is None and chosen in TEXTS:
            _check_header(file.name, loaded.table)
        network = as_network(_one_type(loaded.table), length, directed=directed)
        return LoadedNetwork(network, {}, tuple(loaded.notes))
    if header is not None:
        raise OptionError(f"header is given, and the network is {chosen}, which has no line of names; leave it out")
    graph = guarded(file.name, lambda: read_graph(file, chosen), chosen)
    if chosen == "mtx":
        return LoadedNetwork(_from_matrix(graph, length, directed), {}, ())
    return LoadedNetwork(as_network(graph, length, directed=directed), attributes_of(graph), ())


def _of_two_files(
    vertices: Path,
    fmt: str,
    loaded: Loaded,
    length: str | None,
    directed: bool | None,  # noqa: FBT001
) -> LoadedNetwork:
    """A published network from its tables: the first column of vertices names them, the others are attributes."""
    (first, *attributes), table = loaded.table.column_names, loaded.table
    ends = ("source", "target", *([] if length is None else [length]))
    _, edges = read_columns((vertices, check_beside(vertices)), fmt, [first], ends)
    texts = {end: pa.array(map(str, edges[end]), pa.string()) for end in ends[:2]}
    names = table.column(first).cast(pa.string()).to_pylist()
    network = as_network(pa.table(edges | texts), length, names, directed=directed)
    return LoadedNetwork(network, {name: table.column(name).to_pylist() for name in attributes}, tuple(loaded.notes))


def _from_matrix(matrix: object, length: str | None, directed: bool | None) -> Network:  # noqa: FBT001
    """Rows are counted from 1 in Matrix Market files; the entries are the lengths, by whatever name they are asked for."""
    lengths = None if length is None else "data"
    network = as_network(load("scipy.sparse").coo_array(matrix), lengths, directed=directed)
    return replace(network, names=range(1, network.n + 1))


def _check_third(file: str, table: Table, length: str | None) -> None:
    """An error that says what the third column of a list is called."""
    if length is not None and length not in table.column_names:
        third = (
            f"{' or '.join(map(repr, LENGTHS))}, as the third column is called"
            if LENGTHS[0] in table.column_names
            else ""
        )
        msg = f"the list of edges {file!r} has no column {length!r}; needed: {third or 'none, for its lines have two fields'}"
        raise InputError(msg)


def load_network(
    graph: Any,
    length: str | None = None,
    header: bool | None = None,  # noqa: FBT001
    directed: bool | None = None,  # noqa: FBT001
) -> LoadedNetwork:
    """A network from a file, a graph, or one that was read already."""
    if isinstance(graph, str | Path):
        return read_network(graph, length, header=header, directed=directed)
    if isinstance(graph, LoadedNetwork):
        return graph._replace(network=as_network(graph.network, length, directed=directed))
    if header is not None:
        raise OptionError("header is given, and the network is no file; leave it out")
    return LoadedNetwork(as_network(graph, length, directed=directed), attributes_of(graph), ())


def _check_header(file: str, table: Table) -> None:
    """An error where the names of the columns are vertices of the edges below: then the first line is an edge."""
    ends = ends_of(table.column_names)
    texts = [table.column(end).cast(pa.string()) for end in ends]
    if ends != ("source", "target") and any(pc.any(pc.equal(text, name)).as_py() for text in texts for name in ends):
        raise no_header(file, "it names vertices that other lines name, too")


def _one_type(table: Table) -> Table:
    """A table of edges whose ends are both text if one of them is: 2 and "2" of a text file are one vertex."""
    names, ends = table.column_names, ends_of(table.column_names)
    types = [table.schema.field(end).type for end in ends]
    if len({pa.types.is_integer(kind) or pa.types.is_floating(kind) for kind in types}) < 2:
        return table
    for end in ends:
        place = names.index(end)
        table = table.set_column(place, end, table.column(place).cast(pa.string()))
    return table


def attributes_of(graph: Any) -> dict[str, list[Any]]:
    """The attributes of the vertices of a networkx or igraph graph, a missing one None; others have none."""
    kind = type(graph).__module__.partition(".")[0]
    if kind == "igraph":
        return {name: graph.vs[name] for name in graph.vs.attributes() if name != "name"}
    if not hasattr(graph, "nodes"):
        return {}
    found = list(dict.fromkeys(name for _, data in graph.nodes(data=True) for name in data))
    return {str(name): [data.get(name) for _, data in graph.nodes(data=True)] for name in found}


def parts_of(target: Path, fmt: str) -> tuple[Path, ...]:
    """The files that a network is written to: one, or of tables two, the vertices and the edges.

    >>> [path.name for path in parts_of(Path("out.csv"), "csv")]
    ['out.csv', 'out-edges.csv']
    """
    if fmt in GRAPHS.values():
        return (target,)
    return target, edges_beside(target)


def write_part(vertices: Any, edges: Any, path: Path, fmt: str, part: str, *, directed: bool = False) -> None:
    """Write a network, or the part of it that goes to that file."""
    if part != "both":
        _WRITERS[fmt](vertices if part == "vertices" else edges, path)
        return
    networkx, graph = load("networkx"), to_networkx(vertices, edges, directed=directed)
    if fmt == "graphml":
        networkx.write_graphml_xml(graph, path)
    elif fmt == "gml":
        _check_gml((*vertices.column_names, *edges.column_names))
        networkx.write_gml(graph, path)
    else:
        networkx.write_gexf(graph, path)
        text = path.read_text(encoding="utf-8")  # the time of writing would make two writings differ
        path.write_text(re.sub(r' lastmodifieddate="[^"]*"', "", text), encoding="utf-8")


def to_networkx(vertices: Any, edges: Any, *, directed: bool = False) -> Any:
    """The tables as a `networkx.Graph`, or `DiGraph`: first column of vertices, first two of edges, the rest attributes.

    Links of a super-graph weigh as much as the count of edges that is published; those whose count is suppressed have no weight.
    """
    graph = load("networkx").DiGraph() if directed else load("networkx").Graph()
    name = vertices.column_names[0]
    for row in vertices.to_pylist():
        graph.add_node(row[name], **{key: _plain(v) for key, v in row.items() if key != name and v is not None})
    for row in edges.to_pylist():
        told = {key: _plain(v) for key, v in row.items() if key not in ("source", "target") and v is not None}
        if told.get("edges") is not None:  # what graph algorithms call it
            told["weight"] = told["edges"]
        graph.add_edge(row["source"], row["target"], **told)
    return graph


def _plain(value: Any) -> Any:
    return value if isinstance(value, int | float | str) and not isinstance(value, bool) else str(value)


def _check_gml(columns: Sequence[str]) -> None:
    wrong = [name for name in columns if not re.fullmatch(r"[A-Za-z][0-9A-Za-z_]*", name)]
    if wrong:
        msg = f"GML cannot hold an attribute named {wrong[0]!r}; needed: letters, digits and _ only; rename it, or choose another format"
        raise OutputError(msg)


def read_columns(
    paths: Sequence[Path], fmt: str, vertex_columns: Sequence[str], edge_columns: Sequence[str]
) -> tuple[Columns, Columns]:
    """What a stranger reads in the files of a published network: the columns of vertices and of edges."""
    if len(paths) > 1:
        tables = [read_published(Location("file", fmt, path)) for path in paths]
        vertices, edges = map(_named, tables, (vertex_columns, edge_columns))
        return vertices, edges
    graph = read_graph(paths[0], fmt)
    nodes, links = list(graph.nodes(data=True)), list(graph.edges(data=True))
    vertices = {vertex_columns[0]: [name for name, _ in nodes]}
    vertices |= {key: [data.get(key) for _, data in nodes] for key in vertex_columns[1:]}
    edges = {"source": [one for one, _, _ in links], "target": [other for _, other, _ in links]}
    return vertices, edges | {key: [data.get(key) for _, _, data in links] for key in edge_columns[2:]}


def _named(table: Any, names: Sequence[str]) -> Columns:
    """The columns that were meant: a name that is a spreadsheet's formula got an apostrophe; JSON without rows has no columns."""
    found = table.to_pydict()
    return {name: found.get(name, found.get(f"'{name}", [None] * table.num_rows)) for name in names}
