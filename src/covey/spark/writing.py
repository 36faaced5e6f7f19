"""Write a distributed release: to a hidden folder, read back and recounted by Spark, and only then put in place."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from covey.errors import OptionError
from covey.io.writing import check_different, check_internal_names, commit, companion, look_into_ledger, remember
from covey.report.render import render
from covey.spark.folder import StagedFolder
from covey.spark.shipping import known_error

if TYPE_CHECKING:
    from collections.abc import Callable

    from covey.io.staging import StagedFile
    from covey.spark.release import SparkRelease

FORMATS = ("parquet",)


def write_release(
    release: SparkRelease,
    path: str,
    *,
    force: bool = False,
    format: str = "parquet",  # noqa: A002
    report: str | Path | None = None,
    internal_report: str | Path | None = None,
    certificate: str | Path | None = None,
    internal: str | Path | None = None,
    ledger: bool = True,
    progress: Callable[[str], Any] | None = None,
) -> list[str]:
    """Write a release to a folder of Parquet files and, where asked for, its report and its certificates: all of them or none.

    The folder is on any file system that the cluster can reach; reports and certificates are files of the driver. Rows of a part
    file are in random order, and the files in no order at all. Returns what there is to report.
    """
    if format not in FORMATS:
        msg = f"format is {format!r}; needed: {', '.join(FORMATS)}"
        raise OptionError(msg)
    step = progress or (lambda _what: None)
    check_different([path, report, internal_report, certificate, internal])
    check_internal_names(internal_report, internal)
    session = release.table.sparkSession
    staged: list[Any] = []
    try:
        main = StagedFolder(session, path, force=force)
        staged.append(main)
        step("writing")
        _write(release, main)
        step("recounting what was written")
        found = release.recount(session.read.parquet(main.temporary))
        counted = release.certificate.recounted(release.recipe, found)
        past, notes = look_into_ledger(release) if ledger else (None, [])
        staged += _companions(
            [
                (report, lambda: render(release.report.public(), Path(str(report))), False),
                (internal_report, lambda: render(release.report.with_notes(notes), Path(str(internal_report))), True),
                (certificate, counted.to_json, False),
                (internal, lambda: counted.to_json(internal=True), True),
            ],
            force=force,
        )
        commit(staged)
        if past is not None:
            notes += remember(past, release)
    finally:
        for left in staged:
            left.close()
    return notes


def _write(release: SparkRelease, staged: StagedFolder) -> None:
    try:
        release.table.write.parquet(staged.temporary)
    except Exception as error:  # noqa: BLE001
        raise known_error(error) from None


def _companions(wanted: list[tuple[str | Path | None, Callable[[], str], bool]], *, force: bool) -> list[StagedFile]:
    staged = []
    try:
        for path, text, private in wanted:
            if path is not None:
                staged.append(companion(Path(path), text(), force=force, private=private))
    except BaseException:
        for one in staged:
            one.close()
        raise
    return staged
