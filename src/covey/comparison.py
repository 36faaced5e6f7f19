"""Which setting is better: a grid of k and methods, each with its risk and its loss, and one that is recommended."""

from __future__ import annotations

import json
import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from covey import entropy
from covey.arrays import as_count
from covey.errors import CoveyError, InputError, OptionError
from covey.measures import Measuring
from covey.recipe import Recipe
from covey.release import load_table, release
from covey.values import content

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from covey.io import Loaded

RISK, LOSS = "record linkage", "information loss"


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
        """Of the front, the one nearest to no risk and no loss, both measured on the range of the grid."""
        front = self.front
        if not front:
            msg = "no setting of the grid gave a release; the errors of the settings say why"
            raise InputError(msg)
        done = [one for one in self.settings if one.error is None]
        spans = [(min(v), max(v)) for v in ([one.loss or 0.0 for one in done], [one.risk or 0.0 for one in done])]

        def away(one: Setting) -> float:
            values = (one.loss or 0.0, one.risk or 0.0)
            parts = [
                (v - low) / (high - low) if high > low else 0.0 for v, (low, high) in zip(values, spans, strict=True)
            ]
            return sum(part**2 for part in parts)

        return min(front, key=lambda one: (away(one), one.loss or 0.0))

    @property
    def reason(self) -> str:
        """Why, in a sentence."""
        best = self.recommended
        beaten = sum(one.error is None for one in self.settings) - len(self.front)
        return (
            f"{best.method} with k = {best.k}: it loses {best.loss:.2f} % of the variation at a linkage risk of {100 * (best.risk or 0):.1f} %; "
            f"no other setting has less of both ({beaten} are beaten by another), and of those on the front it is nearest to the least "
            "loss and the least risk of the grid. A lower risk or loss alone may matter more to you: see the front."
        )

    def as_dict(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "settings": [asdict(one) for one in self.settings],
            "front": [one.name for one in self.front],
            "recommended": asdict(self.recommended),
            "reason": self.reason,
        }


def compare(
    table: Any,
    ks: Sequence[int],
    methods: Sequence[str] = ("auto",),
    *,
    resume: str | Path | None = None,
    processes: int = 2,
    progress: Callable[[int, int], Any] | None = None,
    **choices: Any,
) -> Comparison:
    """Make a release for every k and every method and measure each. Needs the extra `report`.

    `choices` are those of `covey.release`. With `resume`, finished settings are written to that file (JSON lines, under a keyed
    hash of the table and the choices, whose key is in the file) and not done again the next time. Uses `processes` cores.

    >>> import covey
    >>> patients = covey.datasets.load_patients().head(200)
    >>> found = covey.compare(patients, [3, 10], ["mdav"], processes=1, quasi=["age", "charge"], drop_rest=True)
    >>> [one.k for one in found.settings], found.recommended.method
    ([3, 10], 'mdav')
    """
    grid = [Setting(as_count(k, "k"), method) for k in dict.fromkeys(ks) for method in dict.fromkeys(methods)]
    if not grid:
        msg = "no k or no method is given; needed: at least one of each"
        raise OptionError(msg)
    as_count(processes, "processes")
    first = Recipe.from_dict({**choices, "k": grid[0].k, "method": grid[0].method})
    loaded, _ = load_table(table, first)
    done = _Done(resume, loaded, choices)
    todo = [one for one in grid if (one.k, one.method) not in done.settings]
    finished = len(grid) - len(todo)
    if progress is not None:
        progress(finished, len(grid))
    for one in _run(loaded, todo, choices, processes):
        done.add(one)
        finished += 1
        if progress is not None:
            progress(finished, len(grid))
    return Comparison(tuple(done.settings[one.k, one.method] for one in grid))


class _Done:
    """Settings that are finished, in memory and in a file."""

    def __init__(self, path: str | Path | None, loaded: Loaded, choices: dict[str, Any]) -> None:
        self.path = None if path is None else Path(path)
        self.settings: dict[tuple[int, str], Setting] = {}
        lines = (
            self.path.read_text(encoding="utf-8").splitlines() if self.path is not None and self.path.exists() else []
        )
        try:
            records = [json.loads(line) for line in lines]
            self.key = records[0]["key"] if records else entropy.draw()
            self.print = entropy.keyed_hash(self.key, (*content(loaded.table), repr(sorted(choices.items())).encode()))
            for record in records[1:]:
                if record.pop("of") == self.print:
                    one = Setting(**record)
                    self.settings[one.k, one.method] = one
        except (ValueError, KeyError, TypeError, IndexError, AttributeError):
            msg = f"{str(path)!r} is no file of a comparison; needed: one that `compare` wrote, or a new name"
            raise InputError(msg) from None
        if self.path is not None and not lines:
            self._append({"key": self.key})

    def add(self, one: Setting) -> None:
        """Remember a setting that is finished."""
        self.settings[one.k, one.method] = one
        self._append(asdict(one) | {"of": self.print})

    def _append(self, record: dict[str, Any]) -> None:
        if self.path is not None:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(record) + "\n")


def _run(loaded: Loaded, todo: Sequence[Setting], choices: dict[str, Any], processes: int) -> Iterator[Setting]:
    if processes == 1 or len(todo) < 2:
        yield from (_one(loaded, one, choices) for one in todo)
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(processes, len(todo)), context, _remember, (loaded, choices)) as pool:
        try:
            yield from pool.map(_one_remembered, todo)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


_REMEMBERED: list[Any] = []


def _remember(loaded: Loaded, choices: dict[str, Any]) -> None:
    _REMEMBERED[:] = [loaded, choices]


def _one_remembered(one: Setting) -> Setting:
    return _one(_REMEMBERED[0], one, _REMEMBERED[1])


def _one(loaded: Loaded, one: Setting, choices: dict[str, Any]) -> Setting:
    try:
        recipe = Recipe.from_dict({**choices, "k": one.k, "method": one.method})
        done = release(loaded, recipe=recipe, measuring=Measuring())
    except CoveyError as error:
        return Setting(one.k, one.method, error=str(error))
    values = {m["measure"]: m["value"] for m in (*done.report.risk, *done.report.utility)}
    return Setting(
        one.k,
        one.method,
        done.certificate.k,
        values[RISK],
        values[LOSS],
        values["prosecutor risk"],
        values.get("IL1s"),
        values["propensity score"],
    )


def _beats(other: Setting, one: Setting) -> bool:
    better = (other.loss or 0.0) <= (one.loss or 0.0) and (other.risk or 0.0) <= (one.risk or 0.0)
    return better and (other.loss, other.risk) != (one.loss, one.risk)
