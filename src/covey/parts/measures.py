"""Measures of a release made in parts: from rows drawn at random, with intervals; counted exactly where that adds up."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from covey import risk, utility
from covey.columns.coordinates import Scaler
from covey.columns.units import unit_numbers
from covey.core.measure import Measure
from covey.evidence import Evidence, Measured, look_alike, share
from covey.measures.measures import Measures, Measuring, beside_original, notes_of
from covey.measures.published import coarse, public_uses
from covey.parts.plan import stratum_labels
from covey.utility.distributions import Distribution, distributions
from covey.utils.hashing import numbers_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from covey.columns.values import Values
    from covey.parts.plan import Plan
    from covey.parts.tally import Tally

    Codes = NDArray[np.int64]
    Floats = NDArray[np.float64]

Key = tuple[bool, str, str | None]
"""Whether a measure is for the public, its label and its column."""
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
        units=[] if work.recipe.roles.unit is None else [unit_numbers(work.table.column(work.recipe.roles.unit))[rows]],
        rows=work.n,
        looked_at=len(rows),
    )
    untouched, shown = evidence.untouched(), evidence.published()
    for one in risk.COUNTED:
        part.counted |= _by_name(beside_original(one(evidence), one(untouched)), public=False)
        part.counted |= _by_name(one(shown), public=True)
    if len(rows):
        linked = beside_original(risk.linkage(evidence), risk.linkage(untouched))
        part.linked = _by_name(linked, public=False) | _by_name(risk.linkage(shown), public=True)
    return part


def _by_name(measured: Sequence[Measured], *, public: bool) -> dict[Key, Measured]:
    return {(public, one.label, one.column): one for one in measured}


def _evidence(work: Any, released: Mapping[str, Values], rows: Codes) -> Evidence:
    strata = work.stratum if work.recipe.roles.strata else None
    return Evidence(
        original=work.ready.uncoded,
        released=released,
        scaler=work.plan.scaler,
        classes=look_alike(released, strata, work.published_weights, work.n),
        k=work.recipe.k,
        fit=partial(Scaler.of, work.recipe),
        weights=work.weight,
        released_weights=work.published_weights,
        strata=strata,
        sensitive={name: numbers_of(work.table.column(name)).view(np.int64) for name in work.recipe.roles.sensitive},
        units=work.unit,
        looked_at=rows,
        mean_weight=work.plan.mean_weight,
    )


@dataclass
class Drawn:
    """Rows that were drawn from parts, and what was counted on all of their rows."""

    original: list[Mapping[str, Values]]
    released: list[Mapping[str, Values]]
    stratum: list[Codes]
    weights: list[Floats]
    published: list[Floats]
    sensitive: list[Mapping[str, NDArray[np.uint64]]]
    units: list[NDArray[np.uint64]]
    rows: int
    looked_at: int
    counted: dict[Key, Measured] = field(default_factory=dict)
    linked: dict[Key, Measured] = field(default_factory=dict)

    def merged(self, other: Drawn) -> Drawn:
        """The same with the rows of another part."""
        for name in ("original", "released", "stratum", "weights", "published", "sensitive", "units"):
            getattr(self, name).extend(getattr(other, name))
        for key, measured in other.counted.items():
            self.counted[key] = _added(self.counted.get(key), measured, self.rows, other.rows)
        for key, measured in other.linked.items():
            self.linked[key] = _added(self.linked.get(key), measured, self.looked_at, other.looked_at)
        self.rows, self.looked_at = self.rows + other.rows, self.looked_at + other.looked_at
        return self


def _added(mine: Measured | None, other: Measured, rows: int, more: int) -> Measured:
    """Two parts as one: risks of the worst record are the larger, numbers of records their sum, shares add up by rows."""
    if mine is None:
        return other

    def pooled(one: float, another: float) -> float:
        if mine.pooled == "largest":
            return max(one, another)
        return one + another if mine.pooled == "sum" else (one * rows + another * more) / max(1, rows + more)

    riskier = max(mine, other, key=lambda one: one.value) if mine.pooled == "largest" else mine
    original = None if mine.original is None or other.original is None else pooled(mine.original, other.original)
    return replace(riskier, value=pooled(mine.value, other.value), original=original)


class Shown(NamedTuple):
    """All measures of a release made in parts, and the distributions of its columns: beside the original, and its own."""

    measures: Measures
    distributions: list[Distribution]
    released_distributions: list[Distribution]


def measure_drawn(plan: Plan, tally: Tally, wanted: Measuring) -> Shown:
    """All measures of a release made in parts, and the distributions of its columns; intervals where rows were drawn."""
    drawn = tally.drawn
    if drawn is None:
        return Shown(Measures(), [], [])
    whole = _sampled(plan, tally, drawn, None)
    everything = _taken(whole, wanted)
    if drawn.looked_at < drawn.rows:
        everything = _with_intervals(everything, plan, tally, drawn, wanted)
    risks = [*_linked(drawn, public=False), *_counted(drawn, public=False)]
    uses = [*_totals(plan, tally), *(one for one in everything if one.attacker is None and one.stratum is None)]
    risks += [one for one in everything if one.attacker is not None]
    strata = tuple(one for one in everything if one.stratum is not None)
    step = plan.recipe.k / max(1, drawn.looked_at)
    linked = [coarse(one, step) for one in _linked(drawn, public=True)]
    found = Measures(
        tuple(risks),
        (*uses, *utility.worst(strata)),
        strata,
        (*linked, *_counted(drawn, public=True)),
        tuple(public_uses(whole.published())),
        notes_of(whole),
    )
    k = plan.recipe.k
    return Shown(
        found, distributions(whole.original, whole.released, k), distributions(whole.released, whole.released, k)
    )


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
            folds.setdefault((one.label, one.column, one.stratum), []).append(one.value)
    found = []
    for one in everything:
        values = np.array(folds.get((one.label, one.column, one.stratum), []))
        exact = one.name in (Measure.OWN_VALUES, Measure.P_PERCENT, Measure.DOMINATED_GROUPS)
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
    strata = plan.recipe.roles.strata
    return Evidence(
        original=original,
        released=released,
        scaler=plan.scaler,
        classes=look_alike(released, stratum[rows], None, len(rows)),
        k=plan.recipe.k,
        fit=partial(Scaler.of, plan.recipe),
        weights=np.concatenate(drawn.weights)[rows] if drawn.weights else None,
        released_weights=np.concatenate(drawn.published)[rows] if drawn.published else None,
        strata=np.unique(stratum[rows], return_inverse=True)[1].astype(np.int64) if strata else None,
        stratum_names=_names(plan, np.unique(stratum[rows])) if strata else {},
        own=tally.own,
        units=np.unique(np.concatenate(drawn.units)[rows], return_inverse=True)[1] if drawn.units else None,
        looked_at=np.arange(len(rows)),
        mean_weight=plan.mean_weight,
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


def _linked(drawn: Drawn, *, public: bool) -> list[Measured]:
    """Linkage as it was counted part by part; the attacker is taken to know the part, so it is not less than that."""
    found = []
    for (shown, _, _), one in drawn.linked.items():
        if shown != public:
            continue
        value, interval = share(one.value * drawn.looked_at, drawn.looked_at, drawn.rows)
        text = f"{one.meaning} Looked for in the part of the table where the record lies: at most a little too high."
        found.append(replace(one, value=value, interval=interval, meaning=text))
    return found


def _counted(drawn: Drawn, *, public: bool) -> list[Measured]:
    return [_texted(one, drawn) for (shown, _, _), one in drawn.counted.items() if shown == public]


def _texted(one: Measured, drawn: Drawn) -> Measured:
    """What guessing would do without the release is a matter of the whole, not of the part."""
    if one.name != Measure.ATTRIBUTE_GUESS or one.column is None:
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
        found.append(Measured(Measure.TOTAL_CHANGED, change, "lower", text, column=name))
    return found
