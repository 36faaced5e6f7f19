"""What a worker does for the page: it calls the same functions as the command line, and returns plain values."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.columns.profile import NUMBERS, Column, profile
from covey.comparison import compare
from covey.errors import InputError
from covey.files.release import fitting_engine, memory_to_take, release_file
from covey.io import Loaded, read
from covey.io.location import SUFFIXES
from covey.measures.measures import Measuring
from covey.memory import Release, code_signs, release
from covey.recipe.engines import Engine
from covey.utils.arrow import pa
from covey.utils.extras import load
from covey.web.downloads import companions_in, place_of
from covey.web.private import write_private

if TYPE_CHECKING:
    from collections.abc import Sequence

    from covey.columns.codes import Sign
    from covey.files.work import FileRelease
    from covey.recipe.recipe import Recipe
    from covey.web.networks import NetworkSettings
    from covey.web.source import Source
    from covey.web.worker import Tell

PREVIEW_ROWS = 3000
"""A preview looks at so many records: enough to choose by, few enough to answer within about a second."""
QUARTER = PREVIEW_ROWS // 4
"""With a sample of a quarter for its estimates, a measure still looks at all of them: see `Evidence.drawn`."""


def open_table(source: Source, tell: Tell) -> tuple[list[Column], Loaded, list[str]]:
    """The columns of a table, a sample of its records, and what was noticed while reading."""
    tell("reading")
    loaded = read(source.path)
    if loaded.table.num_rows == 0:
        raise InputError("the table has no records; needed: at least k")
    tell("looking at the columns")
    columns = [replace(one, codes=_signs(loaded, one)) for one in profile(loaded.table)]
    return columns, sample_of(loaded, PREVIEW_ROWS), list(map(str, loaded.notes))


def _signs(loaded: Loaded, column: Column) -> tuple[Sign, ...]:
    """Why a column looks like codes, but for one that the file declares."""
    numbers = column.type in NUMBERS and column.name not in loaded.nominal
    return code_signs(loaded, column.name) if numbers else ()


def sample_of(loaded: Loaded, rows: int) -> Loaded:
    """The table with so many of its records, always the same ones, in their order; all, where there are no more."""
    if loaded.table.num_rows <= rows:
        return loaded
    chosen = np.sort(np.random.RandomState(0).permutation(loaded.table.num_rows)[:rows])
    taken = pa.array(chosen)
    texts = {name: column.take(taken) for name, column in loaded.texts.items()}
    return replace(loaded, table=loaded.table.take(taken).combine_chunks(), texts=texts)


def preview(sample: Loaded, recipe: Recipe, tell: Tell) -> dict[str, Any]:
    """The report of a release of the sample, as plain values. The release itself is forgotten."""
    report = release(sample, recipe=recipe, progress=tell, measuring=Measuring(sample=QUARTER), ledger=False).report
    return report.as_dict()


def warm() -> None:
    """Load what most jobs need, before they are asked for."""
    for module in ("scipy.spatial", "scipy.stats", "pyarrow.compute"):
        load(module)


def compared(
    sample: Loaded, ks: Sequence[int], methods: Sequence[str], choices: dict[str, Any], tell: Tell
) -> dict[str, Any]:
    """The risk-utility plane of the sample."""
    comparison = compare(sample, ks, methods, progress=lambda done, of: tell((done, of)), **choices)
    front = comparison.front
    rows = [asdict(setting) | {"front": setting in front} for setting in comparison.settings]
    best = comparison.recommended
    return {"settings": rows, "best": (best.k, best.method), "reason": comparison.reason}


def released(source: Source, recipe: Recipe, folder: str, suffix: str, tell: Tell) -> dict[str, Any]:
    """Make the release of the whole table with all that goes with it, in that folder; what was counted, as plain values."""
    if suffix not in SUFFIXES:
        raise InputError(f"a table cannot be written as {suffix!r}; needed: one of {', '.join(SUFFIXES)}")
    kept = not source.is_example
    files: dict[str, Any] = companions_in(folder)
    target = Path(folder) / place_of("table", suffix)
    making: dict[str, Any] = {"recipe": recipe, "progress": tell, "measuring": Measuring(), "ledger": kept}
    done: Release | FileRelease
    if fitting_engine(source.path, target) is Engine.FILE:
        done = release_file(source.path, target, force=True, memory=memory_to_take(), **making, **files)
        notes = done.notes
    else:
        tell("reading")
        done = release(read(source.path), **making)
        notes = done.write(target, force=True, ledger=kept, progress=tell, **files)
    write_private(Path(folder) / place_of("recipe", suffix), done.recipe.to_toml())
    return done.report.with_notes(notes).as_dict()


def open_network(source: Source, tell: Tell) -> tuple[list[str]]:
    """What a network is, and what was noticed while reading, in sentences."""
    from covey.network.formats import read_network  # networkx and its solvers take a while to load

    tell("reading")
    loaded = read_network(source.path)
    size = f"{loaded.network.n:,} vertices and {loaded.network.m:,} edges"
    return ([size, *map(str, (*loaded.network.notes, *loaded.notes))],)


def released_network(source: Source, settings: NetworkSettings, folder: str, suffix: str, tell: Tell) -> dict[str, Any]:
    """Cluster and publish a network: see `covey.web.networks`."""
    from covey.web.networks import release_network

    return release_network(source, settings, folder, suffix, tell)
