"""The release of a file that is larger than memory, in one call: from file to file."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from covey.errors import CoveyError, OptionError, shown
from covey.files.budget import LEAST, as_bytes
from covey.files.rewritten import REWRITTEN
from covey.files.source import open_source
from covey.files.work import FileRelease, open_job, run
from covey.io.apart import check_not_source
from covey.io.inference import Declared
from covey.io.inputs import format_of, handed_over, opened
from covey.io.location import Location, locate, locate_output
from covey.io.size import IN_PARTS, WRITTEN_IN_PARTS, fits_memory
from covey.io.writing import Companions, check_outputs
from covey.measures.measures import Measuring
from covey.memory import check_wishes, recipe_of
from covey.recipe.engines import Engine
from covey.recipe.keywords import Choices, names_choices
from covey.utils.extras import is_installed, load
from covey.utils.machine import available
from covey.utils.progress import following
from covey.utils.tempfiles import temporary_path

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from covey.recipe.recipe import Recipe

DEFAULT = "2GiB"
_FILES = ("file", "folder", "remote")


@names_choices
def release_file(
    source: Any,
    target: str | Path,
    k: int | None = None,
    *,
    recipe: Recipe | str | Path | None = None,
    memory: str | int = DEFAULT,
    progress: Callable[[str], Any] | bool | None = None,
    measuring: Measuring | None = None,
    force: bool = False,
    format: str | None = None,  # noqa: A002
    output_format: str | None = None,
    partition_by: Sequence[str] = (),
    decimal: str | None = None,
    header: bool | None = None,
    formulas: str = "disarm",
    report: str | Path | None = None,
    internal_report: str | Path | None = None,
    certificate: str | Path | None = None,
    internal: str | Path | None = None,
    ledger: bool = True,
    refuse_overlap: bool = False,
    **choices: Unpack[Choices],
) -> FileRelease:
    """Protect a file that may be larger than memory: as `covey.release`, from file to file, in bounded memory.

    One pass learns what must be known of the whole table; one puts the rows in order on disk, in files without a name; then part
    after part is grouped, aggregated and written. One quasi-identifier of numbers is grouped optimally, as in memory; several by
    recursive balanced splits and the method inside each piece. The file is recounted before it appears.

    Parameters
    ----------
    source, target
        Parquet, CSV, TSV, and in also JSON Lines or Arrow: a file, a folder or a pattern of files, also compressed or far away; out, a file
        or a folder of Parquet files.
        Also what is computed when it is asked for or comes in batches, as in `covey.release`, but no dataframe. Rows wait on disk in
        the folder of the target, and so do copies of what is far away or no file, all without a name.
    memory
        How much memory to take, such as "2GiB".
    format, output_format, partition_by, decimal, header, formulas
        As in `covey.io.read` and `covey.io.write_release`.
    report, internal_report, certificate, internal
        Paths for what goes with it, as in `covey.io.write_release`.
    k, recipe, progress, measuring, choices
        As in `covey.release`, but for `blocks`.
    force, ledger, refuse_overlap
        As in `covey.io.write_release`.

    Returns
    -------
    FileRelease
        Where it is, what was counted, done and lost.

    Raises
    ------
    RefusedError
        The recount of the file falls short; nothing is left of it.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import covey
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     source, target = pathlib.Path(folder) / "stays.parquet", pathlib.Path(folder) / "out.parquet"
    ...     covey.datasets.load_patients().to_parquet(source)
    ...     covey.release_file(source, target, 5, quasi=["charge"], drop_rest=True, ledger=False)
    <FileRelease: 3000 records, k = 5, in 'out.parquet'>
    """
    companions = Companions(report, internal_report, certificate, internal)
    chosen = recipe_of(k, recipe, choices)
    if measuring is None and (report or internal_report) and is_installed("scipy"):
        measuring = Measuring()
    check_wishes(Engine.FILE, chosen, measuring)
    place = _place(source, format)
    output = _output(target, output_format, partition_by)
    if place is not None:
        check_not_source([source], [target, *companions.files])
    check_outputs(target, companions, format=output_format, force=force, partition_by=partition_by)
    load("duckdb")  # the recount needs it: better said before the work
    folder = output.path.resolve().parent
    with (
        following(progress) as step,
        handed_over(source, folder) if place is None else opened(place, folder) as inputs,
        temporary_path(folder) if inputs.format in REWRITTEN else nullcontext() as copy,
    ):
        step("looking at the table")
        declared = Declared(chosen.missing_codes, chosen.dates)
        table = open_source(inputs, decimal, step, declared, header=header, copy=copy)
        origin = {"source": inputs.name if place is None else place.public, "format": inputs.format}
        job = open_job(table, origin, output, chosen, as_bytes(memory), step, measuring, formulas)
        return run(job, companions, force=force, ledger=ledger, refuse_overlap=refuse_overlap)


def _place(source: object, given: str | None) -> Location | None:
    """Where a table is read from; None where it is handed over."""
    if not isinstance(source, str | Path):
        if given is not None:
            raise OptionError(f"format is given, and the table is {shown(source)}, which is no file; leave it out")
        return None
    place = locate(source, format=given)
    form = format_of(place) if place.place in _FILES else place.format
    return _in_parts(replace(place, format=form), "the table", IN_PARTS)


def _output(target: str | Path, given: str | None, partition_by: Sequence[str]) -> Location:
    return _in_parts(locate_output(target, format=given, partition_by=partition_by), "the output", WRITTEN_IN_PARTS)


def _in_parts(place: Location, what: str, formats: Sequence[str]) -> Location:
    """A place of files that are read or written in parts; an error for others."""
    if place.place not in _FILES or place.format not in formats:
        raise OptionError(
            f"{what} is {place.public!r} ({place.format}); needed, for a release in parts: files in one of {', '.join(formats)}; convert it, "
            "or release it in memory"
        )
    return place


def fitting_engine(
    source: str | Path,
    target: str | Path,
    given: str | None = None,
    output_format: str | None = None,
    partition_by: Sequence[str] = (),
) -> Engine:
    """The engine that fits a table on this machine: from file to file where it is too large for memory, and both are such files."""
    try:
        _place(source, given)
        _output(target, output_format, partition_by)
    except CoveyError:
        return Engine.MEMORY  # what is wrong with them is said when they are read and written
    return Engine.MEMORY if fits_memory(source, given) else Engine.FILE


def memory_to_take() -> str:
    """Half of the memory that is free, for a release from file to file that nobody gave a limit."""
    return f"{max(LEAST, available() // 2) // 2**20}MiB"
