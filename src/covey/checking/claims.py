"""`Claims`: what a public certificate says of its table, read from JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from covey.core.requirement import Requirement
from covey.recount.few_columns import OfFew
from covey.recount.requirements import Order
from covey.utils.seal import Seal

if TYPE_CHECKING:
    from collections.abc import Mapping

_NAMES = (
    *("promise", "k_asked", "k_achieved", "counted_in", "counted_over"),
    *("blocks", "records", "classes", "class_sizes"),
)
COMPARED = (
    *_NAMES,
    "units_published_as",
    "rows_of_units_linked",
    "requirements",
    "checked_on_the_original",
    "released",
    "k_for_every",
)
"""The names in a certificate of a table that are read here."""


@dataclass(frozen=True)
class RequirementClaim:
    """What was asked of a sensitive column, in words as well, and what the worst class is said to reach."""

    column: str
    requirement: Requirement
    words: str
    worst_class: float
    order: Order | None

    @classmethod
    def of(cls, claim: Mapping[str, Any]) -> RequirementClaim:
        """From a requirement of a certificate."""
        order = claim["order"]
        return cls(
            column=claim["column"],
            requirement=Requirement(**claim["requirement"]),
            words=claim["asked"],
            worst_class=claim["worst_class"],
            order=None if order is None else Order(**(order | {"categories": tuple(order["categories"])})),
        )


@dataclass(frozen=True)
class Claims:
    """All that can be compared with the table; for the names see `Certificate`."""

    promise: str
    k_asked: int
    k_achieved: int
    counted_in: str
    counted_over: list[str]
    unit: str | None
    """The column that publishes the units, where there is one."""
    linked: bool
    """Whether units were counted by all of their rows."""
    blocks: list[list[str]]
    records: int
    classes: int
    class_sizes: dict[str, int]
    requirements: list[RequirementClaim]
    checked: list[str]
    """What was checked on the original, in words."""
    seal: Seal
    of_few: OfFew | None = None
    """The k of every few columns, where it was asked of those and not of all."""

    @classmethod
    def of(cls, certificate: Mapping[str, Any]) -> Claims:
        """From the JSON of a certificate. What is damaged raises an error of Python's own."""
        return cls(
            **{name: certificate[name] for name in _NAMES},
            unit=certificate.get("units_published_as"),
            linked=certificate.get("rows_of_units_linked", False),
            requirements=[RequirementClaim.of(claim) for claim in certificate["requirements"]],
            checked=[claim["asked"] for claim in certificate["checked_on_the_original"]],
            seal=Seal(**certificate["released"][0]),
            of_few=OfFew(**certificate["k_for_every"]) if "k_for_every" in certificate else None,
        )

    @property
    def columns(self) -> list[str]:
        """The columns that are counted."""
        unit = [] if self.unit is None else [self.unit]
        return list(dict.fromkeys([*self.counted_over, *unit, *(claim.column for claim in self.requirements)]))
