"""Measures of a release made in parts: from rows drawn at random, with intervals; counted exactly where that adds up."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from covey import risk, utility
from covey.columns.strata import stratum_names
from covey.columns.units import unit_numbers
from covey.core.measure import Measure
from covey.evidence import Evidence, Measured, share
from covey.measures.measures import Measures, Measuring, beside_original, notes_of
from covey.measures.published import coarse, linked_within, public_uses
from covey.protect.work import Aggregated, evidence_of
from covey.utility.distributions import Distribution, distributions
from covey.utils.hashing import numbers_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from covey.columns.values import Values
    from covey.parts.plan import Plan
    from covey.parts.tally import Tally
    from covey.protect.context import Context
    from covey.utils.typing import Codes, Floats, Numbers

Key = tuple[bool, str, str | None]
"""Whether a measure is for the public, its label and its column."""
FOLDS = 20
"""Parts of the sample that are left out in turn to say how sure a measure is."""


def draw(plan: Plan, context: Context, aggregated: Aggregated, number: int, drawn: float) -> Drawn:
    """Draw rows of a released part, and take the measures that are about classes on all of it."""
    recipe, table, n = context.recipe, context.table, len(context.rows)
    random = np.random.default_rng([number, int(str(recipe.entropy)[:8], 16)])
    rows = np.flatnonzero(random.random(n) < drawn) if drawn < 1.0 else np.arange(n)
    part = Drawn(
        original=[{name: column.take(rows) for name, column in context.uncoded.items()}],
        released=[{name: column.take(rows) for name, column in aggregated.values.items()}],
        stratum=[context.stratum[rows]],
        weights=[] if context.weight is None else [context.weight[rows]],
        published=[] if aggregated.weights is None else [aggregated.weights[rows]],
        sensitive=[{name: numbers_of(table.column(name))[rows] for name in recipe.roles.sensitive}],
        units=[] if recipe.roles.unit is None else [unit_numbers(table.column(recipe.roles.unit))[rows]],
        rows=n,
        looked_at=len(rows),
    )
    evidence = evidence_of(context, aggregated, plan.scaler, looked_at=rows, mean_weight=plan.mean_weight)
    untouched, shown = evidence.untouched(), evidence.published()
    for counted in risk.COUNTED:
        part.counted |= _by_name(beside_original(counted(evidence), counted(untouched)), public=False)
        part.counted |= _by_name(counted(shown), public=True)
    if len(rows):
        linked = beside_original(risk.linkage(evidence), risk.linkage(untouched))
        part.linked |= _by_name(linked, public=False) | _by_name(linked_within(shown), public=True)
    return part


def _by_name(measured: Sequence[Measured], *, public: bool) -> dict[Key, Measured]:
    return {(public, one.label, one.column): one for one in measured}


@dataclass
class Drawn:
    """Rows that were drawn from parts, and what was counted on all of their rows."""

    original: list[Mapping[str, Values]]
    released: list[Mapping[str, Values]]
    stratum: list[Codes]
    weights: list[Floats]
    published: list[Floats]
    sensitive: list[Mapping[str, Numbers]]
    units: list[Numbers]
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

    def pooled(first: float, second: float) -> float:
        if mine.pooled == "largest":
            return max(first, second)
        return first + second if mine.pooled == "sum" else (first * rows + second * more) / max(1, rows + more)

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
    measures = Measures(
        tuple(risks),
        (*uses, *utility.worst(strata)),
        strata,
        (*linked, *_counted(drawn, public=True)),
        tuple(public_uses(whole.published())),
        notes_of(whole),
        tuple(utility.column_summaries(whole)),
    )
    k = plan.recipe.k
    return Shown(
        measures, distributions(whole.original, whole.released, k), distributions(whole.released, whole.released, k)
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
        for measure in _taken(_sampled(plan, tally, drawn, fold), wanted):
            folds.setdefault((measure.label, measure.column, measure.stratum), []).append(measure.value)
    measured = []
    for measure in everything:
        values = np.array(folds.get((measure.label, measure.column, measure.stratum), []))
        exact = measure.name in (Measure.OWN_VALUES, Measure.P_PERCENT, Measure.DOMINATED_GROUPS)
        if len(values) < FOLDS or exact or not np.isfinite(values).all():
            measured.append(measure)
            continue
        half = 1.96 * math.sqrt((FOLDS - 1) / FOLDS * float(((values - values.mean()) ** 2).sum()))
        measured.append(replace(measure, interval=(measure.value - half, measure.value + half)))
    return measured


def _sampled(plan: Plan, tally: Tally, drawn: Drawn, without: int | None) -> Evidence:
    """The drawn rows as evidence, all but those of a fold."""
    stratum = np.concatenate(drawn.stratum)
    rows = np.arange(len(stratum))
    if without is not None:
        rows = rows[np.random.RandomState(0).permutation(len(rows)) % FOLDS != without]
    original, released = (_concatenated(parts, rows) for parts in (drawn.original, drawn.released))
    strata = bool(plan.recipe.roles.strata)
    return Evidence.of(
        plan.recipe,
        original,
        released,
        plan.scaler,
        stratum[rows] if strata else None,
        weights=np.concatenate(drawn.weights)[rows] if drawn.weights else None,
        released_weights=np.concatenate(drawn.published)[rows] if drawn.published else None,
        stratum_names=stratum_names(plan.published_labels(), plan.settled_cells.stratum) if strata else {},
        own=tally.own,
        units=np.unique(np.concatenate(drawn.units)[rows], return_inverse=True)[1] if drawn.units else None,
        looked_at=np.arange(len(rows)),
        mean_weight=plan.mean_weight,
        suppressed_share=_suppressed_share(plan),
        without_cells=plan.recipe.suppress_cells,
    )


def _suppressed_share(plan: Plan) -> float:
    """The share of the records that are not published."""
    rows = plan.rows if plan.before is None else plan.before.plan.rows
    return (rows - plan.rows + plan.settled_cells.suppressed) / rows


def _concatenated(parts: list[Mapping[str, Values]], rows: Codes) -> dict[str, Values]:
    whole = {}
    for name, first in parts[0].items():
        physical = np.concatenate([part[name].physical for part in parts])
        valid = np.concatenate([part[name].valid for part in parts])
        whole[name] = replace(first, physical=physical[rows], valid=valid[rows])
    return whole


def _linked(drawn: Drawn, *, public: bool) -> list[Measured]:
    """Linkage as it was counted part by part; the attacker is taken to know the part, so it is not less than that."""
    linkage = []
    for (shown, _, _), measure in drawn.linked.items():
        if shown != public:
            continue
        value, interval = share(measure.value * drawn.looked_at, drawn.looked_at, drawn.rows)
        text = f"{measure.meaning} Only the part of the table in which the record lies is searched, so the share may be a little too high."
        linkage.append(replace(measure, value=value, interval=interval, meaning=text))
    return linkage


def _counted(drawn: Drawn, *, public: bool) -> list[Measured]:
    return [_texted(one, drawn) for (shown, _, _), one in drawn.counted.items() if shown == public]


def _texted(measure: Measured, drawn: Drawn) -> Measured:
    """What guessing would do without the release is a matter of the whole, not of the part."""
    if measure.name != Measure.ATTRIBUTE_GUESS or measure.column is None:
        return measure
    values = np.concatenate([part[measure.column] for part in drawn.sensitive])
    usual = float(np.unique(values, return_counts=True)[1].max()) / len(values) if len(values) else 0.0
    text = f"The share of records whose value is guessed right from the most frequent one of their class; without the release, guessing is right for {usual:.1%}."
    return replace(measure, meaning=text)


def _totals(plan: Plan, tally: Tally) -> list[Measured]:
    """The changes of totals, counted on all rows."""
    changes = []
    for name, after in tally.totals.items():
        size = plan.sizes[name]
        change = 100.0 * abs(after - plan.totals[name]) / size if size > 0 else 0.0
        text = "By how many percent the total of the published records changed" + (
            ", weighted." if plan.recipe.roles.weight else "."
        )
        changes.append(Measured(Measure.TOTAL_CHANGED, change, text, column=name))
    return changes
