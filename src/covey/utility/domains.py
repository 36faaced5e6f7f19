"""Means, totals and shares by domain: what an analyst who looks at regions or sexes gets from the release, beside the original."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from covey.columns.of_table import rows_of_figures
from covey.columns.values import AMOUNTS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from covey.evidence import Evidence
    from covey.utils.typing import Codes, Flags, Floats

LEAST_UNITS = 10
"""Smaller domains are not shown."""


class Domain(NamedTuple):
    """A column whose values are domains: the number of each record's value before and after, and what the values are called."""

    before: Codes
    after: Codes
    names: Sequence[str]
    closed: frozenset[int] = frozenset()
    """Those that hold a record that is not published."""


@dataclass(frozen=True)
class DomainFigure:
    """The mean and the total of an amount, or the share of a category, in a domain: before and after."""

    domain: str
    value: str
    figure: str
    before: float
    after: float
    away: float
    """How far it moved: a mean in standard deviations of the column, a share in shares, a total in percent."""

    @property
    def is_share(self) -> bool:
        """Whether it is the share of a category."""
        return self.figure.startswith("share of ")

    @property
    def is_total(self) -> bool:
        """Whether it is the total of an amount."""
        return self.figure.startswith("total of ")

    def as_dict(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self)


def by_domain(evidence: Evidence, domains: Mapping[str, Domain], left_out: Flags, p: float) -> list[DomainFigure]:
    """The figures of all domains that may be shown.

    These have at least ten units before and after, hold no record of `left_out` (whose values were coded or suppressed), and of amounts
    the others but the two largest contribute at least `p` percent of the largest: no figure tells of one member. Of linked tables each
    column by the rows of its own, and none of the first in domains of the second.
    """
    figures = []
    for name, domain in domains.items():
        for code, value in enumerate(domain.names):
            before, after = domain.before == code, domain.after == code
            small = _is_small(evidence, before, after)
            if small or code in domain.closed or left_out[before | after].any():
                continue
            figures += [
                DomainFigure(name, value, figure, *values)
                for figure, *values in _figures(evidence, name, before, after, p)
            ]
    return figures


def worst_of(figures: Sequence[DomainFigure]) -> list[DomainFigure]:
    """Of every figure of a column of domains the one that moved farthest."""
    largest: dict[tuple[str, str], DomainFigure] = {}
    for figure in figures:
        key = figure.domain, figure.figure
        if key not in largest or figure.away > largest[key].away:
            largest[key] = figure
    return list(largest.values())


def _is_small(evidence: Evidence, before: Flags, after: Flags) -> bool:
    """Whether a domain has too few units to be shown."""
    return min(_units(evidence, before), _units(evidence, after)) < LEAST_UNITS


def _units(evidence: Evidence, rows: Flags) -> int:
    return int(rows.sum()) if evidence.units is None else len(np.unique(evidence.units[rows]))


def _figures(
    evidence: Evidence, domain: str, before: Flags, after: Flags, p: float
) -> Iterator[tuple[str, float, float, float]]:
    weigh = np.ones(evidence.rows) if evidence.weights is None else evidence.weights
    weigh_after = weigh if evidence.released_weights is None else evidence.released_weights
    for name, column in evidence.original.items():
        own = rows_of_figures(name, domain, evidence.tables, evidence.rows)
        if name == domain or own is None:
            continue
        released, inside, became = evidence.released[name], before & own, after & own
        if evidence.tables and _is_small(evidence, inside, became):  # of those that have a row there
            continue
        if column.kind in AMOUNTS:
            scale = 10**column.type.scale if column.kind == "decimal" else 1
            x, y = (one.physical.astype(np.float64) / scale for one in (column, released))
            here, there = inside & column.valid, became & released.valid
            if here.any() and there.any() and not _tells(evidence, x * weigh, here, p):
                yield from _amounts(name, x, y, here, there, weigh, weigh_after)
        elif column.categories is not None:
            yield from _shares(evidence, name, inside, became, weigh, weigh_after)


def _amounts(
    name: str, x: Floats, y: Floats, here: Flags, there: Flags, weigh: Floats, weigh_after: Floats
) -> Iterator[tuple[str, float, float, float]]:
    total, total_after = float((x * weigh)[here].sum()), float((y * weigh_after)[there].sum())
    mean, mean_after = total / float(weigh[here].sum()), total_after / float(weigh_after[there].sum())
    spread = float(x[here].std()) or 1.0
    yield f"mean of {name}", mean, mean_after, abs(mean_after - mean) / spread
    size = float(np.abs(x * weigh)[here].sum())
    yield f"total of {name}", total, total_after, 100.0 * abs(total_after - total) / (size or np.inf)


def _shares(
    evidence: Evidence, name: str, before: Flags, after: Flags, weigh: Floats, weigh_after: Floats
) -> Iterator[tuple[str, float, float, float]]:
    column, released = evidence.original[name], evidence.released[name]
    here, there = before & column.valid, after & released.valid
    if not (here.any() and there.any()):
        return
    categories = [str(value) for value in column.categories.to_pylist()]
    shares = [
        np.bincount(one.physical[rows], weights=w[rows], minlength=len(categories)) / float(w[rows].sum())
        for one, rows, w in ((column, here, weigh), (released, there, weigh_after))
    ]
    most = np.argsort(-shares[1], kind="stable")[:5]
    for code in np.sort(most).tolist():
        was, became = float(shares[0][code]), float(shares[1][code])
        if became > 0:
            yield f"share of {name} {categories[code]}", was, became, abs(became - was)


def _tells(evidence: Evidence, amounts: Floats, rows: Flags, p: float) -> bool:
    """Whether a total tells its largest amount within p percent: the p % rule."""
    parts = np.abs(amounts[rows])
    if evidence.units is not None:
        parts = np.asarray(np.bincount(np.unique(evidence.units[rows], return_inverse=True)[1], weights=parts))
    largest = np.sort(parts)[::-1]
    return bool(largest[2:].sum() < p / 100.0 * largest[0])
