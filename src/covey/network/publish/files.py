"""Write published networks: staged, read again from the files, recounted, and only then put in place, all of them or none."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any, NamedTuple

from covey.errors import MissingExtraError, OutputError, RefusedError
from covey.io.apart import check_different, check_internal_names
from covey.io.staging import StagedFile, writing
from covey.io.writing import Companions, commit
from covey.network.formats import network_format, parts_of, read_columns, write_part
from covey.network.publish.seals import seals_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from covey.utils.seal import Seal

    Columns = dict[str, list[Any]]
    Check = Callable[[Columns, Columns], Any]

NUMBERS = ("int", "uint", "double")
COMPARED = (*NUMBERS, "string", "large_string")


class Published(NamedTuple):
    """A network to be written: the tables of its vertices and edges, and the recount of what a stranger reads."""

    target: Path
    vertices: Any
    edges: Any
    check: Check
    name: str = ""
    """What its seals are called beside `vertices` and `edges`, where there are several networks."""
    directed: bool = False


def check_targets(targets: Sequence[Path], companions: Companions, fmt: str | None, *, force: bool) -> None:
    """What would be refused at the end is refused at the start: formats, names that clash or exist, folders that do not."""
    paths = [path for target in targets for path in parts_of(target, network_format(target, fmt, "the output"))]
    check_different([*paths, *companions.files])
    check_internal_names(*companions.private)
    for path in (*paths, *companions.files):
        StagedFile(path, force=force).close()


def write_all(
    networks: Sequence[Published], stage: Callable[[list[Any], list[Seal]], None], fmt: str | None, *, force: bool
) -> None:
    """Write the networks and, once they are recounted, stage what goes with them, which knows their seals."""
    staged: list[StagedFile] = []
    try:
        seals = [
            seal
            for one in networks
            for seal in _write(one, staged, network_format(one.target, fmt, "the output"), force=force)
        ]
        stage(staged, seals)
        commit([*staged])
    finally:
        for left in staged:
            left.close()


def _write(network: Published, staged: list[StagedFile], fmt: str, *, force: bool) -> list[Seal]:
    parts = []
    for path in parts_of(network.target, fmt):
        parts.append(StagedFile(path, force=force))
        staged.append(parts[-1])
    temporary = [part.temporary for part in parts]
    with writing(network.target), _said(fmt):
        for path, part in zip(temporary, ("vertices", "edges") if len(parts) > 1 else ("both",), strict=True):
            write_part(network.vertices, network.edges, path, fmt, part, directed=network.directed)
        vertices, edges = read_columns(temporary, fmt, network.vertices.column_names, network.edges.column_names)
    _check_same(vertices, network.vertices)
    _check_same(edges, network.edges)
    network.check(vertices, edges)
    return seals_of(temporary, fmt, network.name)


@contextlib.contextmanager
def _said(fmt: str) -> Iterator[None]:
    """What a writer cannot write, or a reader cannot read back, said without what it is."""
    try:
        yield
    except (OSError, MemoryError, MissingExtraError, RefusedError):
        raise
    except Exception as error:  # noqa: BLE001
        raise OutputError(
            f"{fmt} cannot hold what is to be published ({type(error).__name__}), such as control characters in a category; "
            "nothing was written; choose another format"
        ) from None


def _check_same(columns: Columns, table: Any) -> None:
    """Refuse a file in which a stranger reads other numbers or texts than were published, or in another order."""
    for field in table.schema:
        kind = str(field.type).rstrip("0123456789")
        if kind not in COMPARED:
            continue
        read, meant = columns[field.name], table[field.name].to_pylist()
        same = _numbers(read) == _numbers(meant) if kind in NUMBERS else _texts(read) == _texts(meant)
        if not same:
            msg = "the file that was written does not hold what was to be published; nothing was written; choose another format"
            raise RefusedError(msg)


def _numbers(column: list[Any]) -> list[float | None] | None:
    try:
        return [None if value is None or value == "" else float(value) for value in column]
    except ValueError:
        return None


def _texts(column: list[Any]) -> list[str]:
    """As text; a formula of a spreadsheet got an apostrophe, and missing text reads as none."""
    return ["" if value is None else str(value).removeprefix("'") for value in column]
