"""The measures of a report as tables: by attacker, by column."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from covey.core.measure import Measure, Unit
from covey.report import numbers

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from covey.evidence import Measured

OF_CHANCE = (Unit.SHARE, Unit.RECORDS)


class Bars(NamedTuple):
    """A measure before and after, each as text and as a bar of so many percent; before is None where it is not shown."""

    label: str
    meaning: str
    text: str
    percent: float
    before_text: str
    before_percent: float | None
    interval: str
    value: float = 0.0
    """The measure itself, in percent, where that is what it is."""


class Attack(NamedTuple):
    """What an attacker gains, measure by measure."""

    attacker: str
    bars: list[Bars]


class Pivot(NamedTuple):
    """Measures of columns: a row for each column, a cell for each measure."""

    labels: list[str]
    rows: list[tuple[str, list[str]]]
    meanings: list[tuple[str, str]]


class Line(NamedTuple):
    """A measure of all columns together."""

    label: str
    text: str
    interval: str
    better: str
    meaning: str


def attacks(risks: Sequence[Measured], records: int) -> list[Attack]:
    """The risks of all columns together, by attacker; numbers of records as bars of all that are published."""
    by_attacker: dict[str, list[Bars]] = {}
    for measured in risks:
        if measured.column is None:
            by_attacker.setdefault(measured.attacker or "", []).append(_bars(measured, records))
    return [Attack(attacker, bars) for attacker, bars in by_attacker.items()]


def _bars(measured: Measured, records: int) -> Bars:
    whole = max(1, records) if measured.name.unit is Unit.RECORDS else 1.0
    before = measured.original
    return Bars(
        measured.label,
        measured.meaning,
        numbers.of(measured),
        _width(measured.value / whole),
        numbers.original_of(measured),
        None if before is None else _width(before / whole),
        numbers.interval_of(measured),
    )


def _width(share: float) -> float:
    return 100.0 * min(1.0, max(0.0, share))


def by_column(measures: Iterable[Measured]) -> Pivot:
    """Measures of single columns, with what they would be in the original and their interval."""
    of_columns = [measured for measured in measures if measured.column is not None]
    labels = list(dict.fromkeys(measured.label for measured in of_columns))
    columns = list(dict.fromkeys(str(measured.column) for measured in of_columns))
    cells = {(str(measured.column), measured.label): _cell(measured) for measured in of_columns}
    rows = [(column, [cells.get((column, label), "") for label in labels]) for column in columns]
    meanings = {measured.label: f"{measured.meaning} {_direction(measured)}" for measured in of_columns}
    return Pivot(labels, rows, list(meanings.items()))


def _cell(measured: Measured) -> str:
    text = numbers.of(measured)
    if measured.stratum is not None:
        text += f" in {measured.stratum}"
    if measured.interval is not None:
        text += f" ({numbers.interval_of(measured)})"
    return text if measured.original is None else f"{numbers.original_of(measured)} → {text}"


def overall(measures: Iterable[Measured]) -> list[Line]:
    """Measures of all columns together."""
    return [
        Line(
            measured.label,
            numbers.of(measured) + (f" in {measured.stratum}" if measured.stratum is not None else ""),
            numbers.interval_of(measured),
            measured.name.better,
            measured.meaning,
        )
        for measured in measures
        if measured.column is None
    ]


def _direction(measured: Measured) -> str:
    attacker = "" if measured.attacker is None else f"The attacker {measured.attacker}. "
    return f"{attacker}{measured.name.better.capitalize()} is better."


def losses(utility: Sequence[Measured]) -> dict[str, list[Bars]]:
    """What was lost of every column: of numbers and of categories apart, since they are measured in two ways."""
    titles = {
        Measure.VARIATION_LOST: "Variation lost, of numbers",
        Measure.CATEGORIES_CHANGED: "Records with another category",
    }
    drawn: dict[str, list[Bars]] = {}
    for measured in utility:
        if measured.name in titles:
            share = measured.value / (1.0 if measured.name.unit is Unit.SHARE else 100.0)
            bars = Bars(str(measured.column), "", numbers.of(measured), _width(share), "", None, "", 100.0 * share)
            drawn.setdefault(titles[measured.name], []).append(bars)
    return {title: _to_the_largest(bars) for title, bars in drawn.items()}


def _to_the_largest(rows: list[Bars]) -> list[Bars]:
    """The same with bars in parts of the longest."""
    longest = max(row.percent for row in rows) or 1.0
    return [row._replace(percent=100.0 * row.percent / longest) for row in rows]
