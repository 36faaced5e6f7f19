"""Measures of a release made in parts: from rows drawn at random, with intervals; counted exactly where that adds up."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from covey import risk, utility
from covey.cells import combine
from covey.distributions import Distribution, distributions
from covey.evidence import COUNTED, Evidence, Measured, share
from covey.fingerprint import numbers_of
from covey.measures import Measures, Measuring
from covey.scale.plan import stratum_labels

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from covey.scale.plan import Plan
    from covey.scale.tally import Tally
    from covey.values import Values

    Codes = NDArray[np.int64]
    Floats = NDArray[np.float64]

FOLDS = 20
"""Parts of the sample that are left out in turn to say how sure a measure is."""


def draw(work: Any, released: Mapping[str, Values], drawn: float) -> Drawn:
    """Draw rows of a released part, and take the measures that are about classes on all of it."""
    random = np.random.default_rng([work.number, int(str(work.recipe.entropy)[:8], 16)])
    rows = np.flatnonzero(random.random(work.n) < drawn) if drawn < 1.0 else np.arange(work.n)
    evidence = _evidence(work, released, rows)
    take = {name: column.take(rows) for name, column in work.ready.uncoded.items()}
    part = Drawn(
        original=[take],
        released=[{name: column.take(rows) for name, column in released.items()}],
        stratum=[work.stratum[rows]],
        weights=[] if work.weight is None else [work.weight[rows]],
        published=[] if work.published_weights is None else [work.published_weights[rows]],
        sensitive=[{name: numbers_of(work.table.column(name))[rows] for name in work.recipe.roles.sensitive}],
        rows=work.n,
        looked_at=len(rows),
        lost=_lost(work, released),
    )
    for measured in (*risk.reidentification(evidence), *risk.attribute_disclosure(evidence)):
        part.counted[measured.name, measured.column] = measured
    if len(rows):
        for measured in risk.linkage(evidence):
            part.linked[measured.name] = measured
    return part


def _evidence(work: Any, released: Mapping[str, Values], rows: Codes) -> Evidence:
    known = [np.where(c.valid, c.physical, 0) for c in released.values()] + [c.valid for c in released.values()]
    known += [work.stratum] if work.recipe.roles.strata else []
    known += [work.published_weights] if work.published_weights is not None else []
    return Evidence(
        original=work.ready.uncoded,
        released=released,
        scaler=work.plan.scaler,
        classes=combine(known, work.n),
        k=work.recipe.k,
        weights=work.weight,
        released_weights=work.published_weights,
        strata=work.stratum if work.recipe.roles.strata else None,
        sensitive={name: numbers_of(work.table.column(name)).view(np.int64) for name in work.recipe.roles.sensitive},
        units=work.unit,
        looked_at=rows,
    )


def _lost(work: Any, released: Mapping[str, Values]) -> dict[str, Floats]:
    """For every column of numbers: the largest and the sum of what records lost, of their squares, their sum, and the ends."""
    found = {}
    for (name, before), place in zip(work.ready.uncoded.items(), work.plan.scaler.places, strict=True):
        if before.kind in COUNTED:
            x, y = (place.of(column)[:, 0] for column in (before, released[name]))
            known = before.valid & released[name].valid
            x, y = x[known], y[known]
            if len(x):
                lost = (x - y) ** 2
                found[name] = np.array([lost.max(), lost.sum(), (x**2).sum(), x.sum(), x.min(), x.max(), len(x)])
    return found


@dataclass
class Drawn:
    """Rows that were drawn from parts, and what was counted on all of their rows."""

    original: list[Mapping[str, Values]]
    released: list[Mapping[str, Values]]
    stratum: list[Codes]
    weights: list[Floats]
    published: list[Floats]
    sensitive: list[Mapping[str, NDArray[np.uint64]]]
    rows: int
    looked_at: int
    lost: dict[str, Floats]

    def __post_init__(self) -> None:
        self.counted: dict[tuple[str, str | None], Measured] = {}
        self.linked: dict[str, Measured] = {}

    def merged(self, other: Drawn) -> Drawn:
        """The same with the rows of another part."""
        for name in ("original", "released", "stratum", "weights", "published", "sensitive"):
            getattr(self, name).extend(getattr(other, name))
        for key, measured in other.counted.items():
            self.counted[key] = _added(self.counted.get(key), measured, self.rows, other.rows)
        for name, measured in other.linked.items():
            self.linked[name] = _added(self.linked.get(name), measured, self.looked_at, other.looked_at)
        for name, lost in other.lost.items():
            mine = self.lost.get(name)
            self.lost[name] = lost if mine is None else _joined(mine, lost)
        self.rows, self.looked_at = self.rows + other.rows, self.looked_at + other.looked_at
        return self

    def spread(self, plan: Plan) -> frozenset[str]:
        """Columns whose aggregates may be public: no record makes more than one k-th of what they are about."""
        roles, k = plan.recipe.roles, plan.recipe.k
        if roles.unit is not None:
            return frozenset()
        found = set()
        for name, (most, lost, squares, total, low, high, rows) in self.lost.items():
            mean = total / rows
            largest = max((low - mean) ** 2, (high - mean) ** 2)
            if name not in plan.ends and most * k <= lost and largest * k <= squares - rows * mean**2:
                found.add(name)
        return frozenset(found)


def _added(mine: Measured | None, other: Measured, rows: int, more: int) -> Measured:
    """Two parts as one: risks of the worst record are the larger, shares add up by rows."""
    if mine is None:
        return other
    if mine.name in ("prosecutor risk", "journalist risk"):
        return max(mine, other, key=lambda one: one.value)
    return replace(mine, value=(mine.value * rows + other.value * more) / max(1, rows + more))


def _joined(mine: Floats, other: Floats) -> Floats:
    most, low, high = max(mine[0], other[0]), min(mine[4], other[4]), max(mine[5], other[5])
    added = mine + other
    return np.array([most, added[1], added[2], added[3], low, high, added[6]])


def measure_drawn(plan: Plan, tally: Tally, wanted: Measuring) -> tuple[Measures, list[Distribution]]:
    """All measures of a release made in parts, and the distributions of its columns; intervals where rows were drawn."""
    drawn = tally.drawn
    if drawn is None:
        return Measures(), []
    whole = _sampled(plan, tally, drawn, None)
    everything = _taken(whole, wanted)
    if drawn.looked_at < drawn.rows:
        everything = _with_intervals(everything, plan, tally, drawn, wanted)
    risks = [*_linked(drawn), *(_texted(one, drawn) for one in drawn.counted.values())]
    uses = [*_totals(plan, tally), *(one for one in everything if one.attacker is None and one.stratum is None)]
    risks += [one for one in everything if one.attacker is not None]
    strata = tuple(one for one in everything if one.stratum is not None)
    found = Measures(tuple(risks), (*uses, *utility.worst(strata)), whole.is_public, strata)
    return found, distributions(whole.original, whole.released, plan.recipe.k)


def _taken(evidence: Evidence, wanted: Measuring) -> list[Measured]:
    found = [*risk.rank_intervals(evidence), *risk.deviation_intervals(evidence), *risk.dominance(evidence)]
    for one in utility.MEASURES:
        if one is not utility.totals:
            found += one(evidence)
    found += utility.by_stratum(evidence)
    return found + [each for formula in wanted.regressions for each in utility.regression(evidence, formula)]


def _with_intervals(
    everything: list[Measured], plan: Plan, tally: Tally, drawn: Drawn, wanted: Measuring
) -> list[Measured]:
    """The jackknife that leaves out one fold of the sample at a time."""
    folds: dict[tuple[str, str | None, str | None], list[float]] = {}
    for fold in range(FOLDS):
        for one in _taken(_sampled(plan, tally, drawn, fold), wanted):
            folds.setdefault((one.name, one.column, one.stratum), []).append(one.value)
    found = []
    for one in everything:
        values = np.array(folds.get((one.name, one.column, one.stratum), []))
        exact = one.name in ("own values published", "p % rule broken", "dominated groups")
        if len(values) < FOLDS or exact or not np.isfinite(values).all():
            found.append(one)
            continue
        half = 1.96 * math.sqrt((FOLDS - 1) / FOLDS * float(((values - values.mean()) ** 2).sum()))
        found.append(replace(one, interval=(one.value - half, one.value + half)))
    return found


def _sampled(plan: Plan, tally: Tally, drawn: Drawn, without: int | None) -> Evidence:
    """The drawn rows as evidence, all but those of a fold."""
    stratum = np.concatenate(drawn.stratum)
    rows = np.arange(len(stratum))
    if without is not None:
        rows = rows[np.random.RandomState(0).permutation(len(rows)) % FOLDS != without]
    original, released = (_concatenated(parts, rows) for parts in (drawn.original, drawn.released))
    known = [np.where(c.valid, c.physical, 0) for c in released.values()] + [c.valid for c in released.values()]
    strata = plan.recipe.roles.strata
    return Evidence(
        original=original,
        released=released,
        scaler=plan.scaler,
        classes=combine([*known, stratum[rows]], len(rows)),
        k=plan.recipe.k,
        weights=np.concatenate(drawn.weights)[rows] if drawn.weights else None,
        released_weights=np.concatenate(drawn.published)[rows] if drawn.published else None,
        strata=np.unique(stratum[rows], return_inverse=True)[1].astype(np.int64) if strata else None,
        stratum_names=_names(plan, np.unique(stratum[rows])) if strata else {},
        own=tally.own,
        coded=frozenset(plan.ends),
        looked_at=np.arange(len(rows)),
        spread=drawn.spread(plan),
    )


def _names(plan: Plan, strata: Codes) -> dict[int, str]:
    """How the strata are called."""
    labels, _ = stratum_labels(plan)
    cells = plan.cells
    if cells is None:
        return {}
    first = {stratum: place for place, stratum in reversed(list(enumerate(cells.stratum.tolist())))}
    shown = {name: column.to_pylist() for name, column in labels.items()}
    return {
        number: ", ".join(str(column[first[stratum]]) for column in shown.values())
        for number, stratum in enumerate(strata.tolist())
    }


def _concatenated(parts: list[Mapping[str, Values]], rows: Codes) -> dict[str, Values]:
    found = {}
    for name, first in parts[0].items():
        physical = np.concatenate([part[name].physical for part in parts])
        valid = np.concatenate([part[name].valid for part in parts])
        found[name] = replace(first, physical=physical[rows], valid=valid[rows])
    return found


def _linked(drawn: Drawn) -> list[Measured]:
    """Linkage as it was counted part by part; the attacker is taken to know the part, so it is not less than that."""
    found = []
    for one in drawn.linked.values():
        value, interval = share(one.value * drawn.looked_at, drawn.looked_at, drawn.rows)
        text = f"{one.meaning} Looked for in the part of the table where the record lies: at most a little too high."
        found.append(replace(one, value=value, interval=interval, meaning=text))
    return found


def _texted(one: Measured, drawn: Drawn) -> Measured:
    """What guessing would do without the release is a matter of the whole, not of the part."""
    if one.name != "attribute guess" or one.column is None:
        return one
    values = np.concatenate([part[one.column] for part in drawn.sensitive])
    usual = float(np.unique(values, return_counts=True)[1].max()) / len(values) if len(values) else 0.0
    text = f"The share of records whose value is the most frequent of their class; without the release it would be {usual:.1%}."
    return replace(one, meaning=text)


def _totals(plan: Plan, tally: Tally) -> list[Measured]:
    """The changes of totals, counted on all rows."""
    found = []
    for name, after in tally.totals.items():
        size = plan.sizes[name]
        change = 100.0 * abs(after - plan.totals[name]) / size if size > 0 else 0.0
        text = "By how many percent its total changed" + (", weighted." if plan.recipe.roles.weight else ".")
        found.append(Measured("total changed", change, "lower", text, column=name, public=False))
    return found
