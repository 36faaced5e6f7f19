"""Outputs go where nothing else does: to no input, to no part of one, and each to a place of its own."""

from __future__ import annotations

from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

from covey.errors import OutputError
from covey.io.location import fixed_and_wild, locate

if TYPE_CHECKING:
    from collections.abc import Sequence


def check_different(given: Sequence[str | Path]) -> None:
    """No two outputs go to the same place."""
    paths = [str(path) if "://" in str(path) else str(Path(path).resolve()) for path in given]
    if len(set(paths)) < len(paths):
        raise OutputError("two outputs have the same name; needed: a name for each")


def check_not_source(inputs: Sequence[str | Path | None], outputs: Sequence[str | Path | None]) -> None:
    """No output replaces an input or a part of one, whatever is allowed to be replaced, and none becomes a part of it."""
    for given in inputs:
        for output in outputs:
            if given is not None and output is not None and "-" not in (str(given), str(output)):
                _check_apart(given, output)


def _check_apart(given: str | Path, output: str | Path) -> None:
    """An error where an output lies where an input does."""
    (source, table), (target, other) = _where(given), _where(output)
    if (source, table) == (target, other):
        name = locate(given).public if "://" in str(given) else Path(given).name
        raise OutputError(f"the output {name!r} would replace the input; needed: another name")
    if isinstance(source, str) or isinstance(target, str):
        return
    if target in source.parents and target.is_dir():
        raise OutputError(f"the input lies in the folder {target.name!r}, which is the output; needed: another folder")
    fixed, wild = fixed_and_wild(source.parts) if not source.exists() else (source.parts, ())
    if wild:
        inside = target.parts[: len(fixed)] == fixed and _has_pattern(target.parts[len(fixed) :], wild)
    else:
        inside = source.is_dir() and source in target.parents
    if inside:
        name = Path(*fixed).name if not wild else "/".join(wild)
        raise OutputError(
            f"the output {target.name!r} lies in the input {name!r} and would be read as a part of it; needed: another folder"
        )


def _has_pattern(parts: Sequence[str], patterns: Sequence[str]) -> bool:
    """Whether a path, or a folder that it lies in, has a pattern, in which `**` stands for any folders."""
    if not patterns:
        return True
    if patterns[0] == "**":
        return any(_has_pattern(parts[start:], patterns[1:]) for start in range(len(parts) + 1))
    return bool(parts) and fnmatchcase(parts[0], patterns[0]) and _has_pattern(parts[1:], patterns[1:])


def check_beside(folder: Path, companions: Sequence[Path]) -> None:
    """An error for companions in a folder that is put in its place as a whole."""
    for path in companions:
        if folder.resolve() in path.resolve().parents:
            raise OutputError(
                f"{path.name!r} lies in the folder {folder.name!r}, which is the output; needed: another place"
            )


def _where(given: str | Path) -> tuple[Path | str, str | None]:
    """A path, or a table of a database, however it is written."""
    scheme = str(given).partition("://")[0].lower() if "://" in str(given) else "file"
    if scheme == "file":
        return (locate(given, format="csv").path if "://" in str(given) else Path(given)).resolve(), None
    place = locate(given, format="csv" if scheme not in ("sqlite", "duckdb", "postgresql", "postgres") else None)
    return (place.path.resolve() if place.place in ("sqlite", "duckdb") else place.public), place.table


def check_internal_names(*given: str | Path | None) -> None:
    """Files that must not be published have a name that says so."""
    for path in given:
        if path is not None and "internal" not in Path(path).name:
            msg = f"{Path(path).name!r} is to hold what must not be published; needed: a name that says so, with 'internal' in it"
            raise OutputError(msg)
