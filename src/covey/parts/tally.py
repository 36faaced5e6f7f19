"""`Tally`: what there is to say of released parts, added up."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from covey.columns.edits import moved_notes
from covey.columns.own_values import OwnValues
from covey.columns.top_coding import coding_notes
from covey.protect.derived import Differing, derived_notes
from covey.protect.facts import Facts, own_value_notes
from covey.protect.group import WholeUnits
from covey.report.records import GroupFacts

if TYPE_CHECKING:
    from covey.parts.leaving.others import Inside
    from covey.parts.measures import Drawn, Shown
    from covey.parts.plan import Plan
    from covey.utils.notes import Note
    from covey.utils.typing import Floats


@dataclass
class Tally:
    """Groups, losses, own values and totals of some parts; `merge` adds those of others."""

    rows: int = 0
    groups: int = 0
    smallest: int = 2**62
    largest: int = 0
    loss: float = 0.0
    without: float = 0.0
    """What would be lost without demands on sensitive values."""
    proven: bool = True
    points: Floats = field(default_factory=lambda: np.zeros((2, 0)))
    """Sums and sums of squares of the coordinates."""
    own: dict[str, OwnValues] = field(default_factory=dict)
    totals: dict[str, float] = field(default_factory=dict)
    moved: dict[str, dict[str, int]] = field(default_factory=dict)
    notes: dict[Note, None] = field(default_factory=dict)
    by_rules: dict[str, int] = field(default_factory=dict)
    """How many values were moved so that each edit rule of order holds."""
    derived: dict[str, Differing] = field(default_factory=dict)
    """In how many units, and of how many, derived columns were others in the table."""
    whole: int = 0
    """Cells in which all rows of a unit share a group."""
    cells: int = 0
    drawn: Drawn | None = None
    inside: Inside | None = None
    """What the groups lose where some left since they cost most."""

    def merge(self, other: Tally) -> None:
        """Add another part."""
        self.rows, self.groups = self.rows + other.rows, self.groups + other.groups
        self.smallest, self.largest = min(self.smallest, other.smallest), max(self.largest, other.largest)
        self.loss, self.without = self.loss + other.loss, self.without + other.without
        self.proven = self.proven and other.proven
        self.points = self.points + other.points if self.points.shape[1] else other.points
        for name, counted in other.own.items():
            held = self.own.get(name, OwnValues(0, 0, 0, 0))
            self.own[name] = OwnValues(*(a + b for a, b in zip(held, counted, strict=True)))
        for name, total in other.totals.items():
            self.totals[name] = self.totals.get(name, 0.0) + total
        for name, moved in other.moved.items():
            mine = self.moved.setdefault(name, {})
            for end, number in moved.items():
                mine[end] = mine.get(end, 0) + number
        self.notes |= other.notes
        for rule, number in other.by_rules.items():
            self.by_rules[rule] = self.by_rules.get(rule, 0) + number
        for name, (differ, units) in other.derived.items():
            before = self.derived.get(name, Differing(0, 0))
            self.derived[name] = Differing(before.differ + differ, before.units + units)
        self.whole, self.cells = self.whole + other.whole, self.cells + other.cells
        if other.inside is not None:
            self.inside = other.inside if self.inside is None else self.inside.merged(other.inside)
        if other.drawn is not None:
            self.drawn = other.drawn if self.drawn is None else self.drawn.merged(other.drawn)

    @property
    def variation(self) -> float:
        """The sum of squares of the coordinates around their mean."""
        if self.rows == 0:
            return 0.0
        return float((self.points[1] - self.points[0] ** 2 / self.rows).sum())


def facts_of(plan: Plan, tally: Tally, shown: Shown | None) -> Facts:
    """What there is to say of a release made in parts; an error where the recipe refuses it."""
    recipe, before = plan.recipe, plan if plan.before is None else plan.before.plan
    notes = [*plan.notes, *moved_notes(tally.by_rules), *tally.notes, *derived_notes(recipe, tally.derived)]
    for name, moved in tally.moved.items():
        notes += coding_notes(name, moved)
    if recipe.roles.unit is not None and plan.common is None:
        notes.append(WholeUnits(tally.whole, tally.cells).note)
    return Facts(
        before.rows,
        suppressed=before.rows - tally.rows,
        notes=[*notes, *own_value_notes(recipe, tally.own)],
        groups=[_group_facts(plan, tally, measured=shown is not None)],
        own=tally.own,
        orders=plan.orders,
        checked=plan.limits,
        totals={name: (before.totals[name], after) for name, after in tally.totals.items()},
        measures=None if shown is None else shown.measures,
        distributions=[] if shown is None else shown.distributions,
        released_distributions=[] if shown is None else shown.released_distributions,
        withheld=list(before.withheld),
        left_out=None if plan.before is None or tally.inside is None else plan.before.facts(tally.inside),
        absent=plan.absent,
        rows_out=tally.rows,
        kinds={name: str(plan.shapes[name].kind) for name in recipe.roles.quasi},
    )


def _group_facts(plan: Plan, tally: Tally, *, measured: bool) -> GroupFacts:
    """The groups of all parts together."""
    is_optimal = tally.proven and plan.is_line
    scale = 100.0 / tally.variation if tally.variation > 0 else 0.0
    return GroupFacts(
        columns=list(plan.recipe.roles.quasi),
        method=plan.recipe.method,
        groups=tally.groups,
        smallest=tally.smallest,
        largest=tally.largest,
        status="optimal" if is_optimal else "feasible",
        cost=plan.purpose.name,
        loss_percent=tally.loss * scale,
        loss_percent_without=tally.without * scale if plan.asked else None,
        gap_percent=0.0 if is_optimal and measured else None,
        gap_interval=None,
    )
