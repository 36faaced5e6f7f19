"""Write a release: staged, read again from the file, recounted, and only then put in place with its companions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypedDict

import numpy as np

from covey.errors import OptionError
from covey.io import columnar, delimited, excel, statistical
from covey.io.apart import check_beside, check_different, check_internal_names
from covey.io.database import Staged, StagedDatabase, stage
from covey.io.folder import StagedFolder, check_folder, check_parting, folders_of, write_folder
from covey.io.inputs import opened
from covey.io.location import Location, Place, locate_output
from covey.io.reading import published
from covey.io.staging import StagedFile, writing
from covey.ledger import enter, look_up
from covey.report.render import render
from covey.utils.arrow import pa
from covey.utils.names import refuse_doubles
from covey.utils.seal import Seal, rows_hash

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from covey.io.loaded import Labels
    from covey.memory import Release
    from covey.report.certificate import TwoForms
    from covey.utils.arrow import Table
    from covey.utils.notes import Note
    from covey.utils.typing import Progress

    class Rendered(Protocol):
        """A report as text."""

        def __call__(self, path: Path, *, internal: bool) -> str:
            """In the format of a path's suffix, internal or public."""


Output = StagedFile | StagedFolder | Staged | StagedDatabase
FORMULAS = ("disarm", "keep")
WRITERS: dict[str, Callable[[Table, Path], list[Note]]] = {
    "parquet": columnar.write_parquet,
    "arrow": columnar.write_arrow,
    "jsonl": columnar.write_json_lines,
    "xlsx": excel.write,
}


def write_release(
    release: Release,
    target: str | Path,
    *,
    force: bool = False,
    format: str | None = None,  # noqa: A002
    partition_by: Sequence[str] = (),
    dialect: Mapping[str, str] | None = None,
    formulas: str = "disarm",
    report: str | Path | None = None,
    internal_report: str | Path | None = None,
    certificate: str | Path | None = None,
    internal: str | Path | None = None,
    record_risk: str | Path | None = None,
    ledger: bool = True,
    refuse_overlap: bool = False,
    progress: Progress | None = None,
) -> list[Note]:
    """Write a release and, where asked for, its report and its certificates: all of them or none.

    Parameters
    ----------
    target
        A file by its suffix (`.csv.gz` and `.csv.zst` are compressed), a folder of Parquet files (a name that ends with a slash), `-` for
        standard output, or a database URL with its table.
    force
        Replace what exists; a folder is replaced whole.
    format
        The format where the suffix does not tell.
    partition_by
        Columns whose values become the names of folders (`region=North/`): the target is then a folder of Parquet files.
    dialect
        `delimiter` and `decimal` of a CSV file.
    formulas
        Text that a spreadsheet would run as a formula: "disarm" it by an apostrophe (CSV and TSV), or "keep" it.
    report, certificate
        Paths for the public report (.html, .json, .txt) and the public certificate.
    internal_report, internal
        Paths for the internal ones, not to be published; their names must say "internal".
    record_risk
        Path for the risk of each record by input row (CSV), not to be published; its name must say "internal". Needs
        `covey.Measuring(records=True)`.
    ledger
        Whether to look into the ledger of earlier releases, and to enter this one: see `covey.ledger`.
    refuse_overlap
        Whether earlier releases of the same records are an error.
    release
        What `covey.release` returned.
    progress
        Called with what is being done.

    Returns
    -------
    list of Note
        What there is to report about the format and earlier releases.

    Raises
    ------
    RefusedError
        What was written does not hold when it is read back; nothing is left of it.
    OutputError
        It exists, or cannot be written.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import covey
    >>> done = covey.release(covey.datasets.load_patients(), k=5, quasi=["age"], drop_rest=True)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     covey.io.write_release(done, pathlib.Path(folder) / "out.csv", ledger=False)
    []
    """
    step = progress or (lambda _what: None)
    place = locate_output(target, format=format, partition_by=partition_by)
    check_text(place, dialect or {}, formulas)
    check_parting(place.columns, release.arrow.column_names)
    if record_risk is not None and release.record_risk is None:
        msg = "record_risk is given, and the risk of each record was not kept; needed: measuring=covey.Measuring(records=True)"
        raise OptionError(msg)
    companions = Companions(report, internal_report, certificate, internal, record_risk)
    check_outputs(target, companions, format=format, force=force, partition_by=partition_by)
    release = _parted(release, place)
    trace = release.trace if ledger else None
    staged: list[Output] = []
    try:
        main = _stage(place, force=force)
        staged.append(main)
        step("writing")
        notes = write_table(release.arrow, release.labels, main, place, dialect or release.dialect, formulas)
        past = look_up(trace, refuse=refuse_overlap).warn(release.past, 4)
        notes += past.notes
        step("recounting what was written")
        read, bytes_hash = read_back(main, place, hashed=companions.certified)
        recounted = release.recount(as_released(read, release.arrow))
        counted = release.certificate.recounted(release.recipe, recounted, release.orders)
        if companions.certified:
            counted = counted.sealed(Seal(rows_hash([read]), bytes_hash))
        if report is not None or internal_report is not None:
            step("drawing the report")
        companions.stage(
            staged, partial(render, release.report.written(Path(place.public).name, notes)), counted, force=force
        )
        if record_risk is not None and release.record_risk is not None:
            staged.append(companion(Path(record_risk), release.record_risk.to_csv(), force=force, private=True))
        commit(staged)
        notes += enter(trace, past)
    finally:
        for left in staged:
            left.close()
    return notes


def check_text(place: Location, dialect: Mapping[str, str], formulas: str) -> None:
    """An error for what cannot be said of how text is written."""
    unknown = sorted(set(dialect) - {"delimiter", "decimal"})
    if unknown or any(len(sign) != 1 for sign in dialect.values()):
        msg = f"the dialect is {dict(dialect)!r}; needed: a delimiter and a decimal sign, one character each"
        raise OptionError(msg)
    if formulas not in FORMULAS:
        raise OptionError(f"formulas is {formulas!r}; needed: one of {', '.join(FORMULAS)}")
    if formulas != "disarm" and place.format not in ("csv", "tsv"):
        raise OptionError(f"formulas is given, and has no effect on {place.format}; leave it out")


class Asked(TypedDict, total=False):
    """Paths of the files that may go with a release, as they are asked for."""

    report: str | Path | None
    internal_report: str | Path | None
    certificate: str | Path | None
    internal: str | Path | None


@dataclass(frozen=True)
class Companions:
    """The files that go with a release, where they are asked for: reports, certificates, the risk of each record."""

    report: str | Path | None = None
    internal_report: str | Path | None = None
    certificate: str | Path | None = None
    internal: str | Path | None = None
    record_risk: str | Path | None = None

    @property
    def files(self) -> list[Path]:
        """All that are asked for."""
        return [Path(path) for path in vars(self).values() if path is not None]

    @property
    def private(self) -> list[Path]:
        """Those of them that are not to be published."""
        return [Path(path) for path in (self.internal_report, self.internal, self.record_risk) if path is not None]

    @property
    def certified(self) -> bool:
        """Whether a certificate is asked for, which needs a seal."""
        return self.certificate is not None or self.internal is not None

    def stage(self, staged: list[Output], rendered: Rendered, certificate: TwoForms, *, force: bool) -> None:
        """Write reports and certificates beside their places; `rendered` is the report for a path, internal or not."""
        wanted: tuple[tuple[str | Path | None, Callable[[Path], str], bool], ...] = (
            (self.report, lambda path: rendered(path, internal=False), False),
            (self.internal_report, lambda path: rendered(path, internal=True), True),
            (self.certificate, lambda _path: certificate.to_json(), False),
            (self.internal, lambda _path: certificate.to_json(internal=True), True),
        )
        for place, text, private in wanted:
            if place is not None:
                staged.append(companion(Path(place), text(Path(place)), force=force, private=private))


def commit(staged: Sequence[Output]) -> None:
    """All of them or none: the release itself last."""
    try:
        for output in reversed(staged):
            output.commit()
    except BaseException:
        for output in staged:
            output.undo()
        raise


def check_outputs(
    target: str | Path,
    companions: Companions,
    *,
    format: str | None = None,  # noqa: A002
    force: bool = False,
    partition_by: Sequence[str] = (),
) -> None:
    """What would be refused at the end is refused at the start: names that clash or exist, folders that do not."""
    place = locate_output(target, format=format, partition_by=partition_by)
    refuse_doubles(partition_by)
    if place.place == "folder":
        check_folder(place.path.resolve(), force=force)
        check_beside(place.path, companions.files)
    check_different([target, *companions.files])
    check_internal_names(*companions.private)
    for path in [*companions.files, *([place.path] if place.place == "file" else [])]:
        StagedFile(path, force=force).close()


def _stage(place: Location, *, force: bool) -> Output:
    if place.place in ("file", "stream"):
        return StagedFile(place.path, force=force)
    if place.place == "folder":
        return StagedFolder(place.path, force=force)
    return stage(place, force=force)


def companion(path: Path, text: str, *, force: bool, private: bool = False) -> StagedFile:
    """A text that goes with a release, staged; a private one can be read by its owner only."""
    staged = StagedFile(path, force=force, private=private)
    try:
        with writing(path):
            staged.temporary.write_text(text, encoding="utf-8")
    except BaseException:
        staged.close()
        raise
    return staged


def write_table(
    table: Table, labels: Labels, staged: Output, place: Location, dialect: Mapping[str, str], formulas: str
) -> list[Note]:
    """Write a released table to where it is staged; what there is to report of its format."""
    if isinstance(staged, StagedFolder):
        with writing(place.path):
            return write_folder(table, staged.temporary, place.columns)
    if not isinstance(staged, StagedFile):
        return staged.write(table)
    path = staged.temporary
    with writing(place.path):
        if place.format in ("csv", "tsv"):
            delimiter = "\t" if place.format == "tsv" else dialect.get("delimiter", ",")
            signs = {"delimiter": delimiter, "decimal": dialect.get("decimal", "."), "formulas": formulas}
            return delimited.write(table, path, compression=place.compression, **signs)
        if place.compression is not None:
            return columnar.write_json_lines(table, path, place.compression)
        if place.format in WRITERS:
            return WRITERS[place.format](table, path)
        return statistical.write(table, path, place.format, labels)


def _parted(release: Release, place: Location) -> Release:
    """The release with its rows in the order in which the files of its folder are read."""
    if not place.columns:
        return release
    order = np.argsort(folders_of(release.arrow, place.columns)[0], kind="stable")
    units = None if release.units is None else release.units.among(order)
    return replace(release, arrow=release.arrow.take(pa.array(order)), units=units)


def read_back(staged: Output, place: Location, *, hashed: bool) -> tuple[Table, str | None]:
    """What was written as a stranger reads it, and the SHA-256 of its bytes where that is asked for."""
    if not isinstance(staged, StagedFile | StagedFolder):
        return staged.read_back(), None
    kind: Place = "folder" if isinstance(staged, StagedFolder) else "file"
    with opened(Location(kind, place.format, staged.temporary, compression=place.compression)) as inputs:
        return published(inputs), inputs.sha256() if hashed else None


def as_released(read: Table, released: Table) -> Table:
    """What was read, under the names that were released: those that a spreadsheet would run got an apostrophe."""
    meant = {f"'{name}": name for name in released.column_names}
    return read.rename_columns([meant.get(name, name) for name in read.column_names])
