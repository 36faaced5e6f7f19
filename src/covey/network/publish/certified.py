"""Whether the files of a published network are what their certificate says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from covey.errors import InputError, RefusedError
from covey.network.formats import network_format, parts_of, read_columns
from covey.network.publish.degree.release import checked
from covey.network.publish.kept import COLUMNS
from covey.network.publish.recount import Claims, recount
from covey.network.publish.seals import seals_of
from covey.utils.seal import Finding, Seal, compared

DRAWN = "a sampled graph promises nothing by itself"


def compared_in(certificate: dict[str, Any]) -> tuple[str, ...]:
    """The names in a certificate of a network that are compared with its files."""
    return ("released", *(("claims", "smallest_cluster") if "claims" in certificate else ("k_asked", "k_achieved")))


def findings(source: str, certificate: dict[str, Any], fmt: str | None) -> list[Finding]:
    """The seals of all files of a network, and what is counted on it."""
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
    return [*sealed, Finding("what was counted", None, DRAWN) if name else _counted(paths, kind, certificate)]


def _network_of(seals: list[Seal], known: list[Seal]) -> tuple[str, list[Seal]]:
    """Which of the networks of a certificate these files are: the release, unless a sample has the same rows."""
    for seal in known:
        if seal.rows_hash == seals[0].rows_hash and seal.part.endswith(seals[0].part):
            return seal.part.removesuffix(seals[0].part), seals
    if seals[0].part not in {seal.part for seal in known}:
        msg = f"the certificate is of a network in another format; needed: the files it was written with; it knows {', '.join(one.part for one in known)}"
        raise InputError(msg)
    return "", seals


def _counted(paths: tuple[Path, ...], kind: str, certificate: dict[str, Any]) -> Finding:
    clusters = "claims" in certificate
    names = ("cluster", "size", "edges", "edges_low", "edges_high", "density", "links") if clusters else ("vertex",)
    ends = ("source", "target", *(names[2:] if clusters else ()))
    columns = tuple(name for kept in certificate.get("claims", {}).get("keep", ()) for name in COLUMNS[kept])
    said = (
        f"clusters of at least {certificate['smallest_cluster']}"
        if clusters
        else f"k = {certificate['k_achieved']} by degrees"
    )
    vertices, edges = read_columns(paths, kind, (*names, *columns), ends)
    try:
        if clusters:
            holds = (
                recount(vertices, edges, Claims(**certificate["claims"])).smallest == certificate["smallest_cluster"]
            )
        else:
            holds = checked(vertices, edges, certificate["k_asked"]) == certificate["k_achieved"]
    except RefusedError as error:
        return Finding(said, holds=False, said=str(error).removesuffix("; nothing was written"))
    return Finding(said, holds)
