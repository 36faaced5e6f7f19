"""Published networks in two tables: which table is one of vertices, or of links between clusters, and no list of edges."""

from __future__ import annotations

from typing import TYPE_CHECKING

from covey.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_COUNTS = ("edges", "edges_low", "edges_high")
_CLUSTERS = ("cluster", "size", *_COUNTS)
_LINKS = ("source", "target", *_COUNTS)
_VERTICES = (("vertex",), ("vertex", "cluster"))
_SUFFIX = "-edges"


def edges_beside(vertices: Path) -> Path:
    """The file of edges that is written beside one of vertices.

    >>> from pathlib import Path
    >>> edges_beside(Path("out.csv")).name
    'out-edges.csv'
    """
    return vertices.with_name(f"{vertices.stem}{_SUFFIX}{vertices.suffix}")


def is_of_vertices(columns: Sequence[str]) -> bool:
    """Whether these are the columns of published vertices: of clusters, of a sampled graph or of one with anonymous degrees.

    >>> is_of_vertices(["cluster", "size", "edges", "edges_low", "edges_high", "density", "links", "age"]), is_of_vertices(["source", "target"])
    (True, False)
    """
    return tuple(columns[: len(_CLUSTERS)]) == _CLUSTERS or tuple(columns) in _VERTICES


def check_beside(vertices: Path) -> Path:
    """The file of edges beside published vertices; an error where there is none."""
    edges = edges_beside(vertices)
    if not edges.is_file():
        msg = f"{vertices.name!r} holds the vertices of a published network, and there is no file {edges.name!r} beside it; needed: both; put the file of its edges there"
        raise InputError(msg)
    return edges


def check_no_links(file: Path, columns: Sequence[str]) -> None:
    """An error for the links between published clusters without the clusters, which say how many vertices there are."""
    if tuple(columns[: len(_LINKS)]) == _LINKS:
        name = f"{file.stem.removesuffix(_SUFFIX)}{file.suffix}"
        msg = f"{file.name!r} holds the links between the clusters of a published network, not edges of vertices; needed: the file of its clusters, as it was written with it ({name!r}); give that"
        raise InputError(msg)
