"""Write a distributed release: to a hidden folder, read back and recounted by Spark, and only then put in place."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from covey.errors import OptionError
from covey.io.apart import check_different, check_internal_names
from covey.io.writing import Companions, commit
from covey.ledger import enter, look_up
from covey.report.render import render
from covey.spark.folder import StagedFolder
from covey.spark.seal import seal_of
from covey.spark.shipping import known_error

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from covey.spark.release import SparkRelease
    from covey.utils.notes import Note

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
    refuse_overlap: bool = False,
    progress: Callable[[str], Any] | None = None,
) -> list[Note]:
    """Write a release to a folder of Parquet files and, where asked for, its report and its certificates: all of them or none.

    The folder is on any file system that the cluster can reach; reports and certificates are files of the driver. Rows of a part
    file are in random order, and the files in no order at all.

    Parameters
    ----------
    release
        What `covey.spark.release` returned.
    path
        The folder.
    force
        Replace what exists.
    format
        "parquet".
    report, internal_report, certificate, internal
        Paths, as in `covey.io.write_release`.
    ledger
        Whether to look into the ledger of earlier releases, and to enter this one.
    refuse_overlap
        Whether earlier releases of the same records are an error.
    progress
        Called with what is being done.

    Returns
    -------
    list of Note
        What there is to report.
    """
    if format not in FORMATS:
        raise OptionError(f"format is {format!r}; needed: {', '.join(FORMATS)}")
    step = progress or (lambda _what: None)
    files = Companions(report, internal_report, certificate, internal)
    check_different([path, *files.files])
    check_internal_names(*files.private)
    trace = release.trace if ledger else None
    session = release.table.sparkSession
    staged: list[Any] = []
    try:
        main = StagedFolder(session, path, force=force)
        staged.append(main)
        step("writing")
        _write(release, main)
        step("recounting what was written")
        recount = release.recount(session.read.parquet(main.temporary))
        counted = release.certificate.recounted(release.recipe, recount, release.orders)
        if files.certified:
            counted = counted.sealed(seal_of(session, main.temporary))
        past = look_up(trace, refuse=refuse_overlap).warn(release.past, 4)
        files.stage(staged, partial(render, release.report.with_notes(past.notes)), counted, force=force)
        commit(staged)
        notes = [*past.notes, *enter(trace, past)]
    finally:
        for left in staged:
            left.close()
    return notes


def _write(release: SparkRelease, staged: StagedFolder) -> None:
    try:
        release.table.write.parquet(staged.temporary)
    except Exception as error:  # noqa: BLE001
        raise known_error(error) from None
