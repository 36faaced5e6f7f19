"""Write two released tables: staged, read again from their files, recounted together, and only then put in place, both or none."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Unpack

from covey.errors import OptionError
from covey.io.apart import check_different
from covey.io.location import Location, locate_output
from covey.io.staging import StagedFile
from covey.io.writing import (
    Asked,
    Companions,
    Output,
    as_released,
    check_outputs,
    check_text,
    commit,
    read_back,
    write_table,
)
from covey.ledger import enter, look_up
from covey.report.render import render
from covey.utils.seal import Seal, rows_hash

if TYPE_CHECKING:
    from pathlib import Path

    from covey.tables.release import TablesRelease
    from covey.utils.notes import Note
    from covey.utils.typing import Progress


class Beside(Asked, total=False):
    """What may be said of how two tables are written, and of what goes with them."""

    formulas: str
    refuse_overlap: bool
    progress: Progress | None


def write_tables(
    release: TablesRelease,
    first: str | Path,
    second: str | Path,
    *,
    force: bool = False,
    formulas: str = "disarm",
    ledger: bool = True,
    refuse_overlap: bool = False,
    progress: Progress | None = None,
    **asked: Unpack[Asked],
) -> list[Note]:
    """Write both tables and, where asked for, their report and certificates: all of them or none. See `covey.io.write_release`."""
    step, whole = progress or (lambda _what: None), release.whole
    companions = Companions(**asked)
    places = check_targets([first, second], companions, formulas, force=force)
    trace = whole.trace if ledger else None
    staged: list[Output] = []
    try:
        step("writing")
        notes: list[Note] = []
        for place, table in zip(places, (release.first_arrow, release.second_arrow), strict=True):
            output = StagedFile(place.path, force=force)
            staged.append(output)
            notes += write_table(table, whole.labels, output, place, whole.dialect, formulas)
        past = look_up(trace, refuse=refuse_overlap).warn(whole.past, 4)
        step("recounting what was written")
        both = [
            read_back(output, place, hashed=companions.certified) for output, place in zip(staged, places, strict=True)
        ]
        own = release.first_arrow, release.second_arrow
        read = [as_released(table, released) for (table, _), released in zip(both, own, strict=True)]
        counted = release.certificate.recounted(release.recipe, release.recount(*read), whole.orders)
        if companions.certified:
            counted = counted.sealed(*(Seal(rows_hash([table]), bytes_hash) for table, bytes_hash in both))
        notes += past.notes
        companions.stage(staged, partial(render, release.report.with_notes(notes)), counted, force=force)
        commit(staged)
        notes += enter(trace, past)
    finally:
        for left in staged:
            left.close()
    return notes


def check_targets(targets: list[str | Path], companions: Companions, formulas: str, *, force: bool) -> list[Location]:
    """Where both tables go; what would be refused at the end is refused at the start."""
    places = [locate_output(target) for target in targets]
    for target, place in zip(targets, places, strict=True):
        if place.place != "file":
            said = "standard output" if place.place == "stream" else repr(place.public)
            raise OptionError(f"an output is {said}; needed, for linked tables: two files")
        check_text(place, {}, formulas)
        check_outputs(target, companions, force=force)
    check_different([*targets, *companions.files])
    return places
