"""Files that hold a graph, not a table: GraphML, GEXF, GML, Pajek, adjacency lists and graph6 by networkx, Matrix Market by scipy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from xml.parsers import expat

from covey.errors import InputError
from covey.utils.extras import load

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

GRAPHS = {".graphml": "graphml", ".gexf": "gexf", ".gml": "gml"}
"""Those that are written, too, with attributes."""
READ_ONLY = {".net": "pajek", ".paj": "pajek", ".mtx": "mtx", ".adjlist": "adjlist", ".g6": "graph6"}


def read_graph(path: Path, fmt: str) -> Any:
    """The graph as networkx has it, or the matrix of a Matrix Market file."""
    return _READERS[fmt](path)


def _graphml(path: Path) -> Any:
    _check_xml(path)
    return load("networkx").read_graphml(path)


def _gexf(path: Path) -> Any:
    _check_xml(path)
    return load("networkx").read_gexf(path)


def _gml(path: Path) -> Any:
    networkx = load("networkx")
    try:
        return networkx.read_gml(path)
    except networkx.NetworkXError:  # without labels, or with doubles
        return networkx.read_gml(path, label="id")


def _pajek(path: Path) -> Any:
    """By networkx, which takes lines of lists for edges, and those of a second kind for more of the first."""
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    kinds = [line.split()[0].lower() for line in lines if line.startswith("*")]
    links = [kind for kind in kinds if kind not in ("*network", "*vertices", "*partition", "*vector")]
    if len(links) > 1 or not set(links) <= {"*arcs", "*edges", "*matrix"}:
        msg = f"the file {path.name!r} has several sections of links, or lists of them; needed: one section, *Arcs, *Edges or *Matrix, a link a line"
        raise InputError(msg)
    return load("networkx").read_pajek(path)


def _graph6(path: Path) -> Any:
    graph = load("networkx").read_graph6(path)
    if isinstance(graph, list):
        msg = f"the file {path.name!r} holds {len(graph)} graphs; needed: one; write it to a file of its own"
        raise InputError(msg)
    return graph


_READERS: dict[str, Callable[[Path], Any]] = {
    "graphml": _graphml,
    "gexf": _gexf,
    "gml": _gml,
    "pajek": _pajek,
    "mtx": lambda path: load("scipy.io").mmread(path),
    "adjlist": lambda path: load("networkx").read_adjlist(path),
    "graph6": _graph6,
}


def _check_xml(path: Path) -> None:
    parser = expat.ParserCreate()

    def refuse(*_given: Any) -> None:
        msg = f"the file {path.name!r} declares a document type, which may hold entities; needed: XML without; remove the declaration"
        raise InputError(msg)

    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    with path.open("rb") as file:
        parser.ParseFile(file)
