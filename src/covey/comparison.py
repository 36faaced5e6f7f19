"""Which setting is better: a grid of k and methods, each with its risk and its loss, and one that is recommended."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import warnings
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack, cast

from covey.core.drawing import AFTER, lengths
from covey.core.measure import Measure
from covey.core.notebook import summary
from covey.errors import CoveyError, InputError, OptionError
from covey.io.staging import writing
from covey.measures.measures import Measuring
from covey.memory import OF_TWO, SmallGroupsWarning, load_table, release, settled
from covey.methods import check_method
from covey.recipe.keywords import Choices, names_choices
from covey.recipe.recipe import Recipe
from covey.report.numbers import percent
from covey.tables.release import joined_tables
from covey.utils import randomness
from covey.utils.arrays import as_count
from covey.utils.extras import load
from covey.utils.hashing import Sums
from covey.utils.progress import bar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from matplotlib.figure import Figure

    from covey.io import Loaded

__all__ = ["Comparison", "Setting", "compare"]

RISK, LOSS = Measure.RECORD_LINKAGE, Measure.INFORMATION_LOSS


@dataclass(frozen=True)
class Setting:
    """One cell of the grid: what was asked and what came of it; `error` where no release was possible."""

    k: int
    method: str
    k_achieved: int | None = None
    risk: float | None = None
    loss: float | None = None
    prosecutor: float | None = None
    il1s: float | None = None
    propensity: float | None = None
    error: str | None = None
    public_risk: float | None = None
    public_loss: float | None = None
    """As the public report has them, rounded; None where it says nothing."""

    @property
    def name(self) -> str:
        """How it is called in a drawing."""
        return f"{self.method}, k = {self.k}"


@dataclass(frozen=True)
class Comparison:
    """All settings, those that no other beats in both risk and loss, and the one that is recommended."""

    settings: tuple[Setting, ...]

    @property
    def front(self) -> tuple[Setting, ...]:
        """The Pareto front, by rising loss."""
        done = [one for one in self.settings if one.error is None]
        kept = [one for one in done if not any(_beats(other, one) for other in done)]
        return tuple(sorted(kept, key=lambda one: (one.loss or 0.0, one.risk or 0.0)))

    @property
    def recommended(self) -> Setting:
        """Of the front, the one nearest to no risk and no loss, both from 0 to 100 %."""
        if not self.front:
            errors = sorted({setting.error or "" for setting in self.settings})
            raise InputError(f"no setting of the grid gave a release: {'; '.join(errors)}")
        return min(
            self.front,
            key=lambda setting: (((setting.loss or 0.0) / 100) ** 2 + (setting.risk or 0.0) ** 2, setting.loss or 0.0),
        )

    @property
    def reason(self) -> str:
        """Why, in a sentence."""
        best = self.recommended
        return (
            f"{best.method} with k = {best.k} loses {best.loss:.2f} % of the variation, and whoever knows all original values links "
            f"{100 * (best.risk or 0):.1f} % of the records to their own. {self._others()} It is the one nearest to no loss and no risk; if "
            "one of them matters more to you, choose another setting that none beats in both."
        )

    def _others(self) -> str:
        """What became of the settings that were compared."""
        done, left = sum(one.error is None for one in self.settings), len(self.front)
        if done == 1:
            return "No other setting gave a release."
        if left == done:
            return f"Each of the {done} settings is better than any other in loss or in risk."
        of_them = "The other is" if done - left == 1 and done == 2 else f"{done - left} of the {done} settings are"
        return f"{of_them} worse than another one in loss or risk, and better in neither."

    def _repr_html_(self) -> str:
        shown = [
            (one.name, f"lost: {_public(one.public_loss)}; linked: {_public(one.public_risk, 100)}")
            for one in self.settings
        ]
        shown += [("recommended", self.recommended.name)] if self.front else []
        points = [(one.name, one.public_loss or 0.0, _public(one.public_loss)) for one in self.settings]
        longest = max((loss for _, loss, _ in points), default=0.0) or 1.0
        bars = [(name, 100 * loss / longest, text) for name, loss, text in points]
        return summary("Comparison", shown, lengths("Information lost", bars))

    def plot(self) -> Figure:
        """The public risk and loss of every setting, as a figure of matplotlib; `covey compare -o` draws the internal plane."""
        figure = load("matplotlib.figure").Figure(figsize=(6, 3.6), layout="constrained")
        axes = figure.add_subplot()
        for setting in self.settings:
            if setting.public_loss is not None and setting.public_risk is not None:
                point = setting.public_loss, 100 * setting.public_risk
                axes.scatter(*point, color=AFTER)
                axes.annotate(setting.name, point, xytext=(5, 4), textcoords="offset points", fontsize=8)
        axes.set(xlabel="information loss, %", ylabel="record linkage, %")
        return figure  # type: ignore[no-any-return]

    def as_dict(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "settings": [asdict(one) for one in self.settings],
            "front": [one.name for one in self.front],
            "recommended": asdict(self.recommended),
            "reason": self.reason,
        }


@names_choices
def compare(
    table: Any,
    ks: Sequence[int],
    methods: Sequence[str] = ("auto",),
    *,
    second: object = None,
    key: str | None = None,
    resume: str | Path | None = None,
    processes: int = 1,
    progress: Callable[[int, int], Any] | bool | None = None,
    **choices: Unpack[Choices],
) -> Comparison:
    """Make a release for every k and every method and measure each. Needs the extra `report`.

    Parameters
    ----------
    table
        What `covey.release` takes.
    ks, methods
        The grid.
    second, key
        A second table that a key links to the first, as in `covey.release_tables`: both are released together for every setting.
    resume
        A file: finished settings are written to it (JSON lines, under a keyed hash of the table and the choices, whose
        key is in the file) and not done again the next time; settings that failed are tried again.
    processes
        How many settings are tried at a time. A script then needs the guard `if __name__ == "__main__":`, as always
        with multiprocessing.
    progress
        Called with (settings done, settings in all); True shows a bar in a terminal or a notebook.
    choices
        Those of `covey.release`.

    Returns
    -------
    Comparison
        `settings`, the `front` that no other beats in both risk and loss, and the `recommended` one with its `reason`.

    Examples
    --------
    >>> import covey
    >>> patients = covey.datasets.load_patients().head(200)
    >>> found = covey.compare(patients, [3, 10], ["mdav"], quasi=["age", "charge"], drop_rest=True)
    >>> [one.k for one in found.settings], found.recommended.method
    ([3, 10], 'mdav')
    """
    if progress is True:
        with bar() as shown_bar:
            options: dict[str, Any] = {"second": second, "key": key, "resume": resume, "processes": processes}
            return compare(table, ks, methods, progress=shown_bar, **options, **choices)
    methods = (methods,) if isinstance(methods, str) else methods
    grid = [Setting(as_count(k, "k"), method) for k in dict.fromkeys(ks) for method in dict.fromkeys(methods)]
    if not grid:
        raise OptionError("no k or no method is given; needed: at least one of each")
    as_count(processes, "processes")
    for method in dict.fromkeys(methods):
        check_method(method)
    if any(one.k == 2 for one in grid):
        warnings.warn(OF_TWO.text, SmallGroupsWarning, stacklevel=2)
    first = Recipe.from_dict({**choices, "k": grid[0].k, "method": grid[0].method})
    loaded, choices = _as_one(table, second, key, first, choices)
    settled(loaded, Recipe.from_dict({**choices, "k": grid[0].k, "method": grid[0].method}))
    done = _Done(resume, loaded, choices)
    todo = [one for one in grid if (one.k, one.method) not in done.settings]
    finished = len(grid) - len(todo)
    if callable(progress):
        progress(finished, len(grid))
    for one in _run(loaded, todo, choices, processes):
        done.add(one)
        finished += 1
        if callable(progress):
            progress(finished, len(grid))
    return Comparison(tuple(done.settings[one.k, one.method] for one in grid))


def _as_one(table: object, second: object, key: str | None, recipe: Recipe, choices: Choices) -> tuple[Loaded, Choices]:
    """The table with its choices, or two that a key links as one, with the choices for it."""
    if (second is None) != (key is None):
        raise OptionError(
            "linked tables need second and key (--with, --key); needed: both, or neither: the second table, and the column of both"
        )
    if key is None:
        return load_table(table, recipe)[0], choices
    joined = joined_tables(table, second, key, recipe).joined
    of_both = {name: value for name, value in joined.recipe.as_dict().items() if name not in ("k", "method", "entropy")}
    return joined.loaded, cast("Choices", of_both)


class _Done:
    """Settings that are finished, in memory and in a file."""

    def __init__(self, path: str | Path | None, loaded: Loaded, choices: Choices) -> None:
        self.path = None if path is None else Path(path)
        self.settings: dict[tuple[int, str], Setting] = {}
        records = _records(self.path)
        try:
            self.key = records[0]["key"] if records else randomness.draw()
            sums = Sums()
            sums.add(loaded.table.columns)
            told = (loaded.table.schema.to_string(), sums.hash(self.key), repr(sorted(choices.items())))
            self.print = randomness.keyed_hash(self.key, (text.encode() for text in told))
            for record in records[1:]:
                if record.pop("of") == self.print:
                    one = Setting(**record)
                    self.settings[one.k, one.method] = one
        except (ValueError, KeyError, TypeError, AttributeError):
            raise _no_comparison(self.path) from None
        if self.path is not None and not records:
            self._append({"key": self.key})

    def add(self, setting: Setting) -> None:
        """Remember a setting that is finished."""
        self.settings[setting.k, setting.method] = setting
        if setting.error is None:  # what failed may go well the next time
            self._append(asdict(setting) | {"of": self.print})

    def _append(self, record: dict[str, Any]) -> None:
        if self.path is None:
            return
        with writing(self.path):
            handle = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            with os.fdopen(handle, "a", encoding="utf-8") as file:
                file.write(json.dumps(record) + "\n")


def _records(path: Path | None) -> list[dict[str, Any]]:
    """The lines of a file of a comparison; a last one that was cut off is taken away."""
    if path is None or not path.exists():
        return []
    try:
        text = path.read_text(encoding="utf-8")
        whole, _, cut = text.rpartition("\n")
        records = [json.loads(line) for line in whole.splitlines()]
        if cut and records:
            path.write_text(f"{whole}\n", encoding="utf-8")
    except (OSError, ValueError):
        raise _no_comparison(path) from None
    if text and not records:
        raise _no_comparison(path)
    return records


def _no_comparison(path: Path | None) -> InputError:
    return InputError(f"{str(path)!r} is no file of a comparison; needed: one that `compare` wrote, or a new name")


def _run(loaded: Loaded, todo: Sequence[Setting], choices: Choices, processes: int) -> Iterator[Setting]:
    if processes == 1 or len(todo) < 2:
        yield from (_tried(loaded, setting, choices) for setting in todo)
        return
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(min(processes, len(todo)), context, _remember, (loaded, choices))
    try:
        for future in as_completed([pool.submit(_tried_by_a_worker, setting) for setting in todo]):
            yield future.result()
        pool.shutdown(wait=True)
    except BrokenProcessPool:
        raise InputError(
            "the processes of the comparison ended; in a script, put the call under `if __name__ == '__main__':`, or leave "
            "processes at 1"
        ) from None
    finally:
        workers = list((pool._processes or {}).values())
        for worker in workers:
            worker.terminate()
        for worker in workers:
            worker.join(5.0)
        pool.shutdown(wait=False, cancel_futures=True)


_REMEMBERED: list[tuple[Loaded, Choices]] = []
"""In a worker: the table and the choices of all settings."""


def _remember(loaded: Loaded, choices: Choices) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends its workers
    _REMEMBERED[:] = [(loaded, choices)]


def _tried_by_a_worker(setting: Setting) -> Setting:
    ((loaded, choices),) = _REMEMBERED
    return _tried(loaded, setting, choices)


def _tried(loaded: Loaded, setting: Setting, choices: Choices) -> Setting:
    try:
        recipe = Recipe.from_dict({**choices, "k": setting.k, "method": setting.method})
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SmallGroupsWarning)  # said once, before
            done = release(loaded, recipe=recipe, measuring=Measuring(), ledger=False)
    except CoveyError as error:
        return Setting(setting.k, setting.method, error=str(error))
    values = {measured.name: measured.finite for measured in (*done.report.risk, *done.report.utility)}
    public = done.report.public()
    shown = {measured.name: measured.finite for measured in (*public.risk, *public.utility)}
    return Setting(
        setting.k,
        setting.method,
        done.certificate.k,
        values[RISK],
        values[LOSS],
        values[Measure.PROSECUTOR_RISK],
        values.get(Measure.IL1S),
        values[Measure.PROPENSITY_SCORE],
        public_risk=shown.get(RISK),
        public_loss=shown.get(LOSS),
    )


def _public(value: float | None, times: float = 1.0) -> str:
    """A public number in percent; not all of them may be."""
    return "not public" if value is None else percent(times * value)


def _beats(other: Setting, setting: Setting) -> bool:
    better = (other.loss or 0.0) <= (setting.loss or 0.0) and (other.risk or 0.0) <= (setting.risk or 0.0)
    return better and (other.loss, other.risk) != (setting.loss, setting.risk)
