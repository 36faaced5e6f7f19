"""Write a release: staged, read back as a stranger would, recounted, and only then put in place with its companions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from covey.errors import OptionError, OutputError
from covey.io import columnar, delimited, excel, statistical
from covey.io.database import Staged
from covey.io.location import Location, locate
from covey.io.reading import read_published
from covey.io.staging import StagedFile, writing
from covey.report.render import render

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from covey.release import Release

FORMULAS = ("disarm", "keep")


def write_release(
    release: Release,
    target: str | Path,
    *,
    force: bool = False,
    format: str | None = None,  # noqa: A002
    dialect: Mapping[str, str] | None = None,
    formulas: str = "disarm",
    report: str | Path | None = None,
    certificate: str | Path | None = None,
    internal: str | Path | None = None,
    progress: Callable[[str], Any] | None = None,
) -> list[str]:
    """Write a release and, where asked for, its report and its certificates: all of them or none.

    Parameters
    ----------
    target
        A file by its suffix, `-` for standard output, or a database URL with its table.
    force
        Replace what exists.
    format
        The format where the suffix does not tell.
    dialect
        `delimiter` and `decimal` of a CSV file.
    formulas
        Text that a spreadsheet would run as a formula: "disarm" it by an apostrophe (CSV and TSV), or "keep" it.
    report, certificate, internal
        Paths for the report (.html, .json, .txt), the public certificate and the internal one.

    Returns what there is to report about the format.
    """
    step = progress or (lambda _what: None)
    if formulas not in FORMULAS:
        msg = f"formulas is {formulas!r}; needed: one of {', '.join(FORMULAS)}"
        raise OptionError(msg)
    place = locate(target, format=format, what="the output")
    _check_different([target, report, certificate, internal])
    staged: list[StagedFile | Staged] = []
    try:
        main = _stage(place, force=force)
        staged.append(main)
        step("writing")
        notes = _write(release, main, place, dialect or {}, formulas)
        step("recounting what was written")
        escaped = {f"'{name}": name for name in release.arrow.column_names}
        found = _read_back(main, place)
        release.recount(found.rename_columns([escaped.get(name, name) for name in found.column_names]))
        described = release.report.with_notes(notes)
        for path, text in (
            (report, None if report is None else render(described, Path(report))),
            (certificate, release.certificate.to_json()),
            (internal, release.certificate.to_json(internal=True)),
        ):
            if path is not None and text is not None:
                staged.append(_companion(Path(path), text, force=force))
        while staged:
            staged[-1].commit()  # the release itself last
            staged.pop()
    finally:
        for left in staged:
            left.discard()
    return notes


def _check_different(given: list[str | Path | None]) -> None:
    paths = [str(path) for path in given if path is not None]
    if len(set(paths)) < len(paths):
        msg = "two outputs have the same name; needed: a name for each"
        raise OutputError(msg)


def _stage(place: Location, *, force: bool) -> StagedFile | Staged:
    if place.place in ("file", "stream"):
        return StagedFile(place.path, force=force)
    return Staged(place, force=force)


def _companion(path: Path, text: str, *, force: bool) -> StagedFile:
    staged = StagedFile(path, force=force)
    try:
        with writing(path):
            staged.temporary.write_text(text, encoding="utf-8")
    except BaseException:
        staged.discard()
        raise
    return staged


def _write(
    release: Release, staged: StagedFile | Staged, place: Location, dialect: Mapping[str, str], formulas: str
) -> list[str]:
    table = release.arrow
    if isinstance(staged, Staged):
        return staged.write(table)
    path = staged.temporary
    with writing(place.path):
        if place.format in ("csv", "tsv"):
            tabs = {"delimiter": "\t"} if place.format == "tsv" else {}
            return delimited.write(table, path, **{**dialect, **tabs}, formulas=formulas)
        if place.format == "parquet":
            return columnar.write_parquet(table, path)
        if place.format == "arrow":
            return columnar.write_arrow(table, path)
        if place.format == "jsonl":
            return columnar.write_json_lines(table, path)
        if place.format == "xlsx":
            return excel.write(table, path)
        return statistical.write(table, path, place.format, release.labels)


def _read_back(staged: StagedFile | Staged, place: Location) -> Any:
    if isinstance(staged, Staged):
        return staged.read_back()
    return read_published(Location("file", place.format, staged.temporary))
