"""Whether the files of a published network are what their certificate says."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from covey.errors import InputError, RefusedError
from covey.io.location import Location
from covey.io.reading import read_published
from covey.network.formats import network_format, parts_of, read_columns
from covey.network.graph_files import read_graph
from covey.network.publish.certificate import FIGURES, SENTENCES, degree_promise, facts_of_clusters, promise
from covey.network.publish.degree.release import checked
from covey.network.publish.kept import COLUMNS
from covey.network.publish.recount import Claims, recount
from covey.network.publish.seals import seals_of
from covey.network.publish.supergraph import VERTEX_COLUMNS
from covey.utils.seal import Finding, Seal, compared

if TYPE_CHECKING:
    from collections.abc import Iterator

    Columns = dict[str, list[Any]]

DRAWN = "a sampled graph promises nothing by itself"
NOT_SO = "this is not what its files say"
UNSEEN = "only who has the original values can tell of what a value was made"
_LINKED = ("source", "target", *VERTEX_COLUMNS[2:])


class _Files(NamedTuple):
    """The files of a published network."""

    paths: tuple[Path, ...]
    kind: str

    def read(self, vertices: tuple[str, ...], edges: tuple[str, ...]) -> tuple[Columns, Columns]:
        """These columns of it."""
        return read_columns(self.paths, self.kind, vertices, edges)


def findings(source: str, certificate: dict[str, Any], fmt: str | None) -> tuple[list[Finding], tuple[str, ...]]:
    """The seals of all files of a network, and what is counted on it; and the names in the certificate that are compared."""
    kind = network_format(source, fmt)
    paths = parts_of(Path(source), kind)
    for path in paths:
        if not path.is_file():
            msg = f"there is no file {path.name!r}; needed: all files of the network, the one of its vertices named first; check the path"
            raise InputError(msg)
    known = [Seal(**seal) for seal in certificate["released"]]
    name, seals = _network_of(seals_of(paths, kind), known)
    meant = {seal.part: seal for seal in known}
    sealed = [
        finding
        for seal in seals
        for finding in compared(seal, meant[f"{name}{seal.part}"], f" of the {name}{seal.part}")
    ]
    if name:
        return [*sealed, Finding("what was counted", None, DRAWN)], ("released",)
    judge, names = (
        (_of_clusters, (*SENTENCES, *FIGURES, "attributes", "claims"))
        if "claims" in certificate
        else (_of_degrees, ("promise", "k_asked", "k_achieved", "vertices", "edges"))
    )
    return [*sealed, *judge(_Files(paths, kind), certificate)], ("released", *names)


def _network_of(seals: list[Seal], known: list[Seal]) -> tuple[str, list[Seal]]:
    """Which of the networks of a certificate these files are: the release, unless a sample has the same rows."""
    for seal in known:
        if seal.rows_hash == seals[0].rows_hash and seal.part.endswith(seals[0].part):
            return seal.part.removesuffix(seals[0].part), seals
    if seals[0].part not in {seal.part for seal in known}:
        msg = f"the certificate is of a network in another format; needed: the files it was written with; it knows {', '.join(one.part for one in known)}"
        raise InputError(msg)
    return "", seals


def _of_clusters(files: _Files, certificate: dict[str, Any]) -> Iterator[Finding]:
    """What is counted on published clusters, and whether all that is said of them follows from it."""
    claims, attributes = Claims(**certificate["claims"]), tuple(certificate["attributes"])
    columns = (*VERTEX_COLUMNS, *(name for kept in claims.keep for name in COLUMNS[kept]))
    said = f"clusters of at least {certificate.get('smallest_cluster')}"
    try:
        vertices, edges = files.read(columns, _LINKED)
        counted = recount(vertices, edges, claims)
    except RefusedError as error:
        yield Finding(said, holds=False, said=str(error).removesuffix("; nothing was written"))
        return
    yield Finding(said, counted.smallest == certificate.get("smallest_cluster"))
    facts = facts_of_clusters(claims, counted, len(edges["source"])) | {"promise": promise(counted.smallest)}
    facts["cluster_sizes"] = {str(size): number for size, number in counted.sizes.items()}
    yield from _figures(certificate, facts, FIGURES)
    yield _words(certificate, facts, SENTENCES)
    yield from _attributes(files, (*columns, *attributes), attributes)


def _attributes(files: _Files, columns: tuple[str, ...], attributes: tuple[str, ...]) -> Iterator[Finding]:
    """Whether the columns that are published are those that are claimed; a graph has no attribute that is missing everywhere."""
    found = _columns_of(files, columns)
    known = found == set(columns) if len(files.paths) > 1 else found <= set(columns)
    yield Finding("the columns of the clusters", known, "" if known else NOT_SO)
    if attributes:
        yield Finding(f"the aggregates of {', '.join(attributes)}", None, UNSEEN)


def _columns_of(files: _Files, columns: tuple[str, ...]) -> set[str]:
    """The columns of vertices that a stranger finds, under the names that were meant; of a graph those of its own format aside."""
    if len(files.paths) == 1:
        nodes = read_graph(files.paths[0], files.kind).nodes(data=True)
        return {columns[0], *(str(name) for _, data in nodes for name in data)} - {"id", "label"}
    meant = {f"'{name}": name for name in columns}
    return {meant.get(name, name) for name in read_published(Location("file", files.kind, files.paths[0])).column_names}


def _of_degrees(files: _Files, certificate: dict[str, Any]) -> Iterator[Finding]:
    said = f"k = {certificate['k_achieved']} by degrees"
    vertices, edges = files.read(("vertex",), ("source", "target"))
    try:
        k = checked(vertices, edges, certificate["k_asked"])
    except RefusedError as error:
        yield Finding(said, holds=False, said=str(error).removesuffix("; nothing was written"))
        return
    yield Finding(said, k == certificate["k_achieved"])
    facts = {"vertices": len(vertices["vertex"]), "edges": len(edges["source"]), "promise": degree_promise(k)}
    yield from _figures(certificate, facts, ("vertices", "edges"))
    yield _words(certificate, facts, ("promise",))


def _figures(certificate: dict[str, Any], facts: dict[str, Any], names: tuple[str, ...]) -> Iterator[Finding]:
    """A finding for each of these names that the files or the certificate know."""
    for name in names:
        if name in certificate or name in facts:
            same = certificate.get(name) == facts.get(name)
            yield Finding(name.replace("_", " "), same, "" if same else NOT_SO)


def _words(certificate: dict[str, Any], facts: dict[str, Any], names: tuple[str, ...]) -> Finding:
    agree = all(certificate.get(name) == facts[name] for name in names)
    return Finding("what it says in words", agree, "" if agree else "this is not what its numbers say")
