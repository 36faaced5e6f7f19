"""The count of `tests/fuzz/run.py`: dictionaries over what was written.

Classes are told apart by any difference of what is written; units and sensitive values are read as coarsely as can be.
"""

from __future__ import annotations

import csv
import math
from collections import Counter, defaultdict
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any

from covey.core.requirement import ALPHA, CLOSENESS
from covey.io import read
from tests.coarse import coarse
from tests.fuzz.tables import ROW

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    import covey
    from covey.core.requirement import Requirement

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


def fails(
    written: Written,
    recipe: covey.Recipe,
    units: list[str] | None,
    orders: Mapping[str, Any],
    spelled: list[str] | None = None,
) -> str:
    """The first requirement on sensitive values that a class does not hold by some reading; nothing if all hold.

    `orders` says of the columns whether closeness goes along their values, and along which. Values as they are written go with units as
    these are (`spelled`), or as they are read where a file of numbers does not keep how they were written.
    """
    for asked in recipe.requirements:
        if asked.kind == "spread":
            continue
        for read_as in (reading, exactly) if asked.kind != "distinct" else (reading,):
            values = [read_as(value) for value in written.columns[asked.column]]
            ways = [units] if read_as is reading or spelled is None else [units, spelled]
            if not any(_holds(written, recipe, asked, values, way, orders) for way in ways):
                return f"{asked} ({read_as.__name__})"
    return ""


def _holds(
    written: Written,
    recipe: covey.Recipe,
    asked: Requirement,
    values: list[str],
    units: list[str] | None,
    orders: Mapping[str, Any],
) -> bool:
    held = holders(written.classes(recipe.counted), values, units)
    if asked.kind != CLOSENESS:
        return all(HOLDS[asked.kind]([has - {""} for has in one], asked.limit, asked.c) for one in held)
    order = orders[asked.column]
    if order["ordered"] and not order["categories"]:  # a number has one place, however it is written
        values = [number(value) for value in values]
        held = holders(written.classes(recipe.counted), values, units)
    (whole,) = holders([()] * written.rows, values, units)
    return close(held, whole, asked.limit, along(values, order))


def number(text: str) -> str:
    """A number in one way of writing it; any other text as it is."""
    try:
        return str(Decimal(text.replace(",", ".", 1)).normalize() + 0)
    except InvalidOperation:
        return text


def holders(classes: list[Class], values: list[str], units: list[str] | None) -> list[list[set[str]]]:
    """For every class, the different values of each of its records, or units; a missing one is nothing."""
    owners: Sequence[Any] = range(len(values)) if units is None else units
    held: dict[Class, dict[Any, set[str]]] = defaultdict(lambda: defaultdict(set))
    for cell, owner, value in zip(classes, owners, values, strict=True):
        held[cell][owner].add(value)
    return [list(one.values()) for one in held.values()]


def along(values: list[str], order: Mapping[str, Any]) -> list[str] | None:
    """The known values, lowest first; None where they have no order."""
    if not order["ordered"]:
        return None
    known = set(values) - {""}
    if order["categories"]:
        places = {form(one): place for place, one in enumerate(order["categories"]) for form in (reading, exactly)}
        return sorted(known, key=lambda value: places[value] if value in places else places[reading(value)])
    try:
        return sorted(known, key=Decimal)
    except InvalidOperation:
        return sorted(known)


def close(classes: list[list[set[str]]], whole: list[set[str]], t: float, ordered: list[str] | None) -> bool:
    """The known values of every class are within t of those of all; and missing ones are, as a value or, with an order, by share."""
    table, known = shares(whole), shares([has - {""} for has in whole])
    for units in classes:
        here, told = shares(units), shares([has - {""} for has in units])
        missing = abs(here.get("", 0.0) - table.get("", 0.0))
        if not told:
            holds = table.get("", 0.0) >= 1 - t - ROUNDING
        elif ordered is None:
            holds = max(apart(told, known), apart(here, table)) <= t + ROUNDING
        else:
            holds = max(moved(told, known, ordered), missing) <= t + ROUNDING
        if not holds:
            return False
    return True


def shares(units: list[set[str]]) -> dict[str, float]:
    """The share of every value, where each unit that has some spreads a weight of 1 equally over them."""
    weight: dict[str, float] = defaultdict(float)
    counted = [has for has in units if has]
    for has in counted:
        for value in has:
            weight[value] += 1 / len(has) / len(counted)
    return dict(weight)


def apart(one: dict[str, float], other: dict[str, float]) -> float:
    """The variational distance."""
    return sum(abs(one.get(value, 0.0) - other.get(value, 0.0)) for value in {**one, **other}) / 2


def moved(one: dict[str, float], other: dict[str, float], ordered: list[str]) -> float:
    """The earth mover's distance, a step between neighbours."""
    total = here = 0.0
    for value in ordered[:-1]:
        here += one.get(value, 0.0) - other.get(value, 0.0)
        total += abs(here)
    return total / max(1, len(ordered) - 1)


def distinct(units: list[set[str]], least: float, _c: float) -> bool:
    """For every value, the units without it hold at least l - 1 others; and there is one."""
    values = set().union(*units)
    others = [set().union(*(has for has in units if value not in has)) for value in values]
    return bool(values) and all(1 + len(more) >= least for more in others)


def entropic(units: list[set[str]], least: float, _c: float) -> bool:
    """An entropy of at least log l; no value is held by all units."""
    known = [has for has in units if has]
    entropy = -sum(share * math.log(share) for share in shares(known).values())
    return bool(known) and not _by_all(known) and entropy >= math.log(least) - ROUNDING


def recursive(units: list[set[str]], least: float, c: float) -> bool:
    """r_1 < c (r_l + ... + r_m), r the numbers of units that have a value, largest first; none is held by all."""
    known = [has for has in units if has]
    numbers = sorted(Counter(value for has in known for value in has).values(), reverse=True)
    return bool(known) and not _by_all(known) and numbers[0] < c * sum(numbers[int(least) - 1 :]) + ROUNDING


def at_most(units: list[set[str]], share: float, _c: float) -> bool:
    """No value is held by more than this share of the units that have one, and none by all."""
    known = [has for has in units if has]
    numbers = Counter(value for has in known for value in has)
    return bool(known) and not _by_all(known) and max(numbers.values()) <= share * len(known) + ROUNDING


def _by_all(units: list[set[str]]) -> bool:
    return bool(set.intersection(*units))


HOLDS = {"distinct": distinct, "entropy": entropic, "recursive": recursive, ALPHA: at_most}
