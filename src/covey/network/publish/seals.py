"""The seals of the files of a published network: see `covey.utils.seal`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from covey.io.inputs import guarded
from covey.io.location import Location
from covey.io.reading import read_published
from covey.network.graph_files import GRAPHS, read_graph
from covey.utils.arrow import pa
from covey.utils.seal import Seal, file_hash, files_hash, rows_hash

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

PARTS = ("vertices", "edges")


def seals_of(paths: Sequence[Path], fmt: str, name: str = "") -> list[Seal]:
    """A seal for each file of a network: of a table its rows, of a graph its vertices and its edges."""
    before = f"{name} " if name else ""
    if fmt in GRAPHS.values():
        return [Seal(_graph_hash(paths[0], fmt), file_hash(paths[0]), f"{before}graph")]
    tables = [read_published(Location("file", fmt, path)) for path in paths]
    return [Seal.of_file(path, [table], before + part) for path, table, part in zip(paths, tables, PARTS, strict=True)]


def _graph_hash(path: Path, fmt: str) -> str:
    """Vertices and edges with all of their attributes as text; an edge has no direction unless the graph says so."""
    graph = guarded(path.name, lambda: read_graph(path, fmt), fmt)
    order = list if graph.is_directed() else sorted
    ends = ((*order((str(one), str(other))), data) for one, other, data in graph.edges(data=True))
    vertices = _table([{"vertex": str(name)} | _texts(data) for name, data in graph.nodes(data=True)])
    edges = _table([{"one": one, "other": other} | _texts(data) for one, other, data in ends])
    return files_hash([f"vertices {rows_hash([vertices])}", f"edges {rows_hash([edges])}"])


def _texts(data: dict[str, Any]) -> dict[str, str]:
    return {f"attribute {name}": str(value) for name, value in data.items() if name != "id"}


def _table(rows: list[dict[str, str]]) -> Any:
    names = sorted({name for row in rows for name in row})
    return pa.table({name: pa.array([row.get(name) for row in rows], pa.string()) for name in names})
