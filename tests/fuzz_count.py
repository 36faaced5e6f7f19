"""The count of `tests/fuzz.py`: dictionaries over what was written.

Classes are told apart by any difference of what is written; units and sensitive values are read as coarsely as can be.
"""

from __future__ import annotations

import csv
import math
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from covey.io import read
from tests.coarse import coarse
from tests.fuzz_tables import ROW

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    import covey

    Class = tuple[Any, ...]

ROUNDING = 1e-9


@dataclass(frozen=True)
class Written:
    """The columns of a file that was written."""

    columns: dict[str, list[Any]]
    rows: int

    @classmethod
    def of(cls, path: Path, kind: str, delimiter: str) -> Written:
        """Text of text files, values of others."""
        if kind in ("csv", "tsv"):
            with path.open(newline="", encoding="utf-8") as file:
                names, *rows = csv.reader(file, delimiter="\t" if kind == "tsv" else delimiter)
            texts = list(map(list, zip(*rows, strict=True))) if rows else [[] for _ in names]
            return cls({armed(name): column for name, column in zip(names, texts, strict=True)}, len(rows))
        table = read(path).table
        columns = {name: list(map(canonical, table.column(name).to_pylist())) for name in table.column_names}
        return cls(columns, table.num_rows)

    def classes(self, names: Sequence[str]) -> list[Class]:
        return list(zip(*(self.columns[name] for name in names), strict=True))

    def units(self, ids: dict[str, Any]) -> list[str] | None:
        """The unit of every row, where rows have a name."""
        return [ids[row] for row in self.columns[ROW]] if ROW in self.columns else None


def armed(text: str) -> str:
    """A text without the apostrophe that keeps spreadsheets from running it."""
    return text[1:] if text[:1] == "'" and text[1:2] in ("=", "+", "-", "@") else text


def canonical(value: Any) -> Any:
    return None if isinstance(value, float) and math.isnan(value) else value


def reading(value: Any) -> str:
    """A value as coarsely as it can be read; nothing for a missing one."""
    return "" if value is None else coarse(armed(str(value)))


def exactly(value: Any) -> str:
    """A value as it stands there."""
    return "" if reading(value) == "" else str(value)


def smallest(written: Written, recipe: covey.Recipe, units: list[str] | None) -> int:
    """The smallest class, in records or units; with blocks, of every block by itself."""
    if not written.rows:
        return 0
    parts = [recipe.counted]
    if recipe.blocks and recipe.allow_blocks:
        parts = [[*block, *recipe.roles.strata] for block in recipe.blocks]
    return min(_least(written.classes(part), units) for part in parts)


def _least(classes: list[Class], units: list[str] | None) -> int:
    pairs = enumerate(classes) if units is None else zip(units, classes, strict=True)
    return min(Counter(cell for _, cell in set(pairs)).values())


def fails(written: Written, recipe: covey.Recipe, units: list[str] | None) -> str:
    """The first requirement on sensitive values that a class does not hold by some reading; nothing if all hold."""
    for asked in recipe.requirements:
        if asked.kind in HOLDS:
            for read_as in (reading, exactly) if asked.kind != "distinct" else (reading,):
                held = holders(written, recipe.counted, asked.column, units, read_as)
                if not all(HOLDS[asked.kind](values, asked.limit, asked.c) for values in held):
                    return f"{asked} ({read_as.__name__})"
    return ""


def holders(
    written: Written, counted: Sequence[str], column: str, units: list[str] | None, read_as: Callable[[Any], str]
) -> list[list[set[str]]]:
    """For every class, the values of each of its records, or units; missing ones do not count."""
    owners: Sequence[Any] = range(written.rows) if units is None else units
    held: dict[Class, dict[Any, set[str]]] = defaultdict(lambda: defaultdict(set))
    for cell, owner, value in zip(written.classes(counted), owners, written.columns[column], strict=True):
        held[cell][owner] |= {read_as(value)} - {""}
    return [list(one.values()) for one in held.values()]


def distinct(units: list[set[str]], least: float, _c: float) -> bool:
    """For every value, the units without it hold at least l - 1 others; and there is one."""
    values = set().union(*units)
    others = [set().union(*(has for has in units if value not in has)) for value in values]
    return bool(values) and all(1 + len(more) >= least for more in others)


def entropic(units: list[set[str]], least: float, _c: float) -> bool:
    """An entropy of at least log l, where every unit spreads a weight of 1 over its values; none is held by all."""
    weight: dict[str, float] = defaultdict(float)
    known = [has for has in units if has]
    for has in known:
        for value in has:
            weight[value] += 1 / len(has)
    entropy = -sum(w / len(known) * math.log(w / len(known)) for w in weight.values())
    return bool(known) and not _by_all(known) and entropy >= math.log(least) - ROUNDING


def recursive(units: list[set[str]], least: float, c: float) -> bool:
    """r_1 < c (r_l + ... + r_m), r the numbers of units that have a value, largest first; none is held by all."""
    known = [has for has in units if has]
    numbers = sorted(Counter(value for has in known for value in has).values(), reverse=True)
    return bool(known) and not _by_all(known) and numbers[0] < c * sum(numbers[int(least) - 1 :]) + ROUNDING


def _by_all(units: list[set[str]]) -> bool:
    return bool(set.intersection(*units))


HOLDS = {"distinct": distinct, "entropy": entropic, "recursive": recursive}
