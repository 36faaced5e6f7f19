"""What a worker does for the page: it calls the same functions as the command line, and returns plain values."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.comparison import compare
from covey.errors import InputError
from covey.files.release import fitting_engine, memory_to_take, release_file
from covey.io import Loaded, read
from covey.io.location import SUFFIXES
from covey.measures.measures import Measuring
from covey.memory import Release, release
from covey.recipe.engines import Engine
from covey.utils.arrow import pa
from covey.utils.extras import load
from covey.web.budgets import Budget, losses_by_budget
from covey.web.choices import LEAST_K
from covey.web.downloads import companions_in, place_of
from covey.web.look import look
from covey.web.private import write_private
from covey.web.rows import first_rows, written_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from covey.columns.profile import Column
    from covey.files.work import FileRelease
    from covey.io.inference import Declared
    from covey.network.publish.recipe import NetworkRecipe
    from covey.recipe.recipe import Recipe
    from covey.web.source import Source
    from covey.web.worker import Tell

PREVIEW_ROWS = 3000
"""A preview looks at so many records: enough to choose by, few enough to answer within about a second."""
QUARTER = PREVIEW_ROWS // 4
"""With a sample of a quarter for its estimates, a measure still looks at all of them: see `Evidence.drawn`."""


def open_table(source: Source, declared: Declared, tell: Tell) -> tuple[list[Column], Loaded, list[str]]:
    """The columns of a table, a sample of its records, and what was noticed while reading."""
    tell("reading")
    loaded = read(source.path, missing_codes=declared.missing_codes, dates=declared.dates)
    if loaded.table.num_rows == 0:
        raise InputError("the table has no records; needed: at least k")
    tell("looking at the columns")
    return look(loaded), sample_of(loaded, PREVIEW_ROWS), list(map(str, loaded.notes))


def sample_of(loaded: Loaded, rows: int) -> Loaded:
    """The table with so many of its records, always the same ones, in their order; all, where there are no more."""
    if loaded.table.num_rows <= rows:
        return loaded
    chosen = np.sort(np.random.RandomState(0).permutation(loaded.table.num_rows)[:rows])
    taken = pa.array(chosen)
    texts = {name: column.take(taken) for name, column in loaded.texts.items()}
    return replace(loaded, table=loaded.table.take(taken).combine_chunks(), texts=texts)


def preview(sample: Loaded, recipe: Recipe, tell: Tell) -> dict[str, Any]:
    """The report of a release of the sample, as plain values, with its first rows. The rest of the release is forgotten."""
    done = release(sample, recipe=recipe, progress=tell, measuring=Measuring(sample=QUARTER), ledger=False)
    return done.report.as_dict() | {
        "rows": first_rows(done.arrow, decimal=sample.dialect.get("decimal", "."), formulas="disarm")
    }


def warm() -> None:
    """Load what most jobs need, before they are asked for."""
    for module in ("scipy.spatial", "scipy.stats", "pyarrow.compute"):
        load(module)


def compared(
    sample: Loaded, ks: Sequence[int], methods: Sequence[str], choices: dict[str, Any], tell: Tell
) -> dict[str, Any]:
    """The risk-utility plane of the sample, and what one k less and one more would be by the method that is recommended."""
    comparison = compare(sample, ks, methods, progress=lambda done, of: tell((done, of)), **choices)
    front, best = comparison.front, comparison.recommended
    rows = [asdict(setting) | {"front": setting in front} for setting in comparison.settings]
    tell("measuring one k below and one k above")
    near = [k for k in (best.k - 1, best.k + 1) if k >= LEAST_K]
    beside = compare(sample, near, [best.method], **choices).settings
    return {"settings": rows, "best": (best.k, best.method), "beside": [asdict(one) for one in beside]}


def budgets(sample: Loaded, recipe: Recipe, tell: Tell) -> tuple[Budget, ...]:
    """What leaving records out of the sample buys."""
    return losses_by_budget(sample, recipe, tell)


def released(source: Source, recipe: Recipe, folder: str, suffix: str, tell: Tell) -> dict[str, Any]:
    """Make the release of the whole table with all that goes with it, in that folder; what was counted, as plain values."""
    if suffix not in SUFFIXES:
        raise InputError(f"a table cannot be written as {suffix!r}; needed: one of {', '.join(SUFFIXES)}")
    kept = not source.is_example
    files: dict[str, Any] = companions_in(folder)
    target = Path(folder) / place_of("table", suffix)
    making: dict[str, Any] = {"recipe": recipe, "progress": tell, "measuring": Measuring(), "ledger": kept}
    done: Release | FileRelease
    engine = fitting_engine(source.path, target)
    if engine is Engine.FILE:
        done = release_file(source.path, target, force=True, memory=memory_to_take(), **making, **files)
        notes = done.notes
    else:
        tell("reading")
        done = release(read(source.path, missing_codes=recipe.missing_codes, dates=recipe.dates), **making)
        notes = done.write(target, force=True, ledger=kept, progress=tell, **files)
    write_private(Path(folder) / place_of("recipe", suffix), done.recipe.to_toml())
    rows = written_rows(target, done.arrow if isinstance(done, Release) else None)
    return done.report.with_notes(notes).as_dict() | {"rows": rows, "engine": engine}


def open_network(source: Source, tell: Tell) -> tuple[list[str]]:
    """What a network is, and what was noticed while reading, in sentences."""
    from covey.network.formats import read_network  # networkx and its solvers take a while to load

    tell("reading")
    loaded = read_network(source.path)
    size = f"{loaded.network.n:,} vertices and {loaded.network.m:,} edges"
    return ([size, *map(str, (*loaded.network.notes, *loaded.notes))],)


def released_network(source: Source, recipe: NetworkRecipe, folder: str, suffix: str, tell: Tell) -> dict[str, Any]:
    """Cluster and publish a network: see `covey.web.networks`."""
    from covey.web.networks import release_network

    return release_network(source, recipe, folder, suffix, tell)
