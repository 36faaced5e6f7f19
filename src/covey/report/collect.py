"""What there is to report of a release: plain values, no original value of any record."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from covey.measures.measures import Measures
from covey.report.certificate import promise
from covey.utils.notes import Note, NoteKind
from covey.utils.version import version

if TYPE_CHECKING:
    from collections.abc import Sequence

    from covey.evidence import Measured
    from covey.protect.facts import Facts
    from covey.recipe.recipe import Recipe
    from covey.recount.classes import Recount


class Public(NamedTuple):
    """The part of a public report that is measured."""

    risk: list[dict[str, Any]]
    utility: list[dict[str, Any]]
    distributions: list[dict[str, Any]]


@dataclass(frozen=True)
class Report:
    """What was done, what is lost, what to know before publishing."""

    covey: str
    promise: str
    k_asked: int
    k_achieved: int
    counted_in: str
    counted_over: list[str]
    """The columns that an attacker is taken to know: quasi-identifiers, strata and a published weight."""
    records_in: int | None
    records_out: int
    suppressed: int | None
    classes: int
    class_sizes: dict[int, int]
    roles: dict[str, list[str]]
    groups: list[dict[str, Any]]
    own_values: list[dict[str, Any]]
    totals: list[dict[str, Any]]
    sensitive: list[dict[str, Any]]
    requirements: list[dict[str, Any]]
    """What was asked of sensitive columns, and what the worst class reaches of it."""
    notes: list[Note]
    risk: list[dict[str, Any]]
    utility: list[dict[str, Any]]
    strata: list[dict[str, Any]]
    """For the largest strata, what changed in each column: internal."""
    distributions: list[dict[str, Any]]
    coding: list[dict[str, Any]]
    """Which ends of columns were coded, and where, as it was asked for: a value, or a quantile such as "99%"."""
    reasons: dict[str, str]
    """Why columns have their roles, in the words of whoever made the release."""
    to_publish: Public
    """What the public version says of risk, utility and distributions."""
    internal: bool = True
    """Whether it may say everything. The public version says what follows from the release, and what `covey.measures.published` lists."""

    def public(self) -> Report:
        """The version that may be handed out: what follows from the release and the choices, and the numbers of `covey.measures.published`."""
        return replace(
            self,
            internal=False,
            records_in=None,
            suppressed=None,
            groups=[dict.fromkeys(group) | {name: group[name] for name in _CHOSEN} for group in self.groups],
            own_values=[],  # where to look
            totals=[],  # with what is released they would tell of records that were suppressed, coded or extreme
            sensitive=_rounded(self.sensitive),
            requirements=_rounded(self.requirements),
            notes=[note for note in self.notes if note.public],
            risk=_rounded(self.to_publish.risk),
            utility=_rounded(self.to_publish.utility),
            strata=[],
            distributions=_rounded(self.to_publish.distributions),
        )

    def with_notes(self, notes: Sequence[Note]) -> Report:
        """The same with more notes."""
        return replace(self, notes=[*self.notes, *notes])

    def as_dict(self) -> dict[str, Any]:
        """All of it, as plain values."""
        plain = {name: value for name, value in asdict(self).items() if name != "to_publish"}
        return plain | {"notes": [note.text for note in self.notes]}


def collect(facts: Facts, found: Recount, recipe: Recipe) -> Report:
    """Collect the report of a release that was recounted."""
    measures = facts.measures or Measures()
    roles = {
        name: [given] if isinstance(given, str) else list(given)
        for name, given in recipe.roles.as_dict().items()
        if given
    }
    totals = [
        {
            "column": name,
            "before": before,
            "after": after,
            "change_percent": 100 * (after - before) / before if before else 0.0,
        }
        for name, (before, after) in facts.totals.items()
        if math.isfinite(before) and math.isfinite(after) and name not in facts.withheld
    ]
    own = [{"column": name, **counted._asdict()} for name, counted in facts.own.items() if counted.any]
    sensitive = facts.sensitive
    notes = [*facts.notes, *measures.notes]
    notes += [_shared(measured["column"]) for measured in sensitive if measured["distinct_l"] <= 1]
    return Report(
        covey=version(),
        promise=promise(recipe, found.k, facts.checked),
        k_asked=recipe.k,
        k_achieved=found.k,
        counted_in="units" if recipe.roles.unit else "records",
        counted_over=recipe.counted,
        records_in=facts.rows_in,
        records_out=facts.rows_out,
        suppressed=facts.suppressed,
        classes=found.classes,
        class_sizes=dict(sorted(found.histogram.items())),
        roles=roles,
        groups=facts.groups,
        own_values=own,
        totals=totals,
        sensitive=sensitive,
        requirements=[
            {
                "column": held.asked.column,
                "kind": held.asked.kind,
                "asked": str(held.asked),
                "worst_class": held.reached,
            }
            for held in found.held
        ],
        notes=notes,
        risk=[one.as_dict() for one in measures.risk],
        utility=[one.as_dict() for one in measures.utility],
        strata=_strata(measures.strata),
        distributions=[asdict(one) for one in facts.distributions],
        coding=[
            {"column": name, "end": end, "asked": str(at)}
            for end, given in (("top", recipe.top), ("bottom", recipe.bottom))
            for name, at in given.items()
        ],
        reasons=dict(recipe.reasons),
        to_publish=Public(
            [one.as_dict() for one in measures.public_risk],
            [one.as_dict() for one in measures.public_utility],
            [
                {"column": one.column, "edges": list(one.edges), "after": list(one.after)}
                for one in facts.released_distributions
            ],
        ),
    )


def _shared(column: str) -> Note:
    """The note on a sensitive column that has one value in all of a class."""
    text = f"in some class all records share one value of {column!r}: who finds the class knows it; k-anonymity does not prevent that"
    return Note(NoteKind.SENSITIVE, text)


_CHOSEN = ("columns", "method", "cost")


MOST_STRATA = 100


def _strata(measured: Sequence[Measured]) -> list[dict[str, Any]]:
    """One row for every stratum and column, of the largest strata."""
    shown = list(dict.fromkeys(one.stratum for one in measured))[:MOST_STRATA]
    rows: dict[tuple[str | None, str | None], dict[str, Any]] = {}
    for one in measured:
        if one.stratum in shown:
            row = rows.setdefault((one.stratum, one.column), {"stratum": one.stratum, "column": one.column})
            row[one.name.removesuffix(" by stratum")] = one.value
    return list(rows.values())


def _rounded(value: Any) -> Any:
    """Numbers to three digits, in whatever holds them."""
    if isinstance(value, dict):
        return {name: _rounded(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(inner) for inner in value]
    return float(f"{value:.3g}") if isinstance(value, float) else value
