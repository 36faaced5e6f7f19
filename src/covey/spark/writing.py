"""Write a distributed release: to a hidden folder, read back and recounted by Spark, and only then put in place."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from covey.errors import OptionError
from covey.io.apart import check_different, check_internal_names
from covey.io.writing import Companions, commit
from covey.ledger import enter, look_up
from covey.recipe.values import as_names
from covey.report.render import render
from covey.spark.folder import StagedFolder
from covey.spark.formats import WRITTEN as FORMATS
from covey.spark.formats import check_folders, read_as, without_reader
from covey.spark.seal import seal_of
from covey.spark.shipping import known_error

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from covey.spark.release import SparkRelease
    from covey.utils.notes import Note


def write_release(
    release: SparkRelease,
    path: str,
    *,
    force: bool = False,
    format: str = "parquet",  # noqa: A002
    partition_by: Sequence[str] = (),
    report: str | Path | None = None,
    internal_report: str | Path | None = None,
    certificate: str | Path | None = None,
    internal: str | Path | None = None,
    ledger: bool = True,
    refuse_overlap: bool = False,
    progress: Callable[[str], Any] | None = None,
) -> list[Note]:
    """Write a release to a folder and, where asked for, its report and its certificates: all of them or none.

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
        "parquet"; or "delta", by the writer of Delta, if the session has its jar.
    partition_by
        Published columns of text or whole numbers: rows of each of their values lie in a folder `column=value`, as readers of Hive,
        Spark and Arrow know it.
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
        raise OptionError(f"format is {format!r}; needed: {' or '.join(FORMATS)}")
    session = release.table.sparkSession
    step = progress or (lambda _what: None)
    files = Companions(report, internal_report, certificate, internal)
    check_different([path, *files.files])
    check_internal_names(*files.private)
    folders = as_names(partition_by, "partition_by")
    check_folders(release.table, folders)
    trace = release.trace if ledger else None
    staged: list[Any] = []
    try:
        main = StagedFolder(session, path, force=force)
        staged.append(main)
        step("writing")
        _write(release, main, format, folders)
        step("recounting what was written")
        written = read_as(session, format, main.temporary)
        recount = release.recount(written)
        counted = release.certificate.recounted(release.recipe, recount, release.orders)
        if files.certified:
            counted = counted.sealed(seal_of(written, main.temporary))
        past = look_up(trace, refuse=refuse_overlap).warn(release.past, 4)
        files.stage(
            staged,
            partial(render, release.report.written(path.rstrip("/").rpartition("/")[2], past.notes)),
            counted,
            force=force,
        )
        commit(staged)
        notes = [*past.notes, *enter(trace, past)]
    finally:
        for left in staged:
            left.close()
    return notes


def _write(release: SparkRelease, staged: StagedFolder, format: str, partition_by: Sequence[str]) -> None:  # noqa: A002
    try:
        release.table.write.format(format).partitionBy(*partition_by).save(staged.temporary)
    except Exception as error:  # noqa: BLE001
        raise without_reader(format, error) or known_error(error) from None
