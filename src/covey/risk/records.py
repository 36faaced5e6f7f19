"""The risk of each record, by input row: not to be published, since it says which record is in which kind of class."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from covey.risk.reidentification import classes_at_risk

if TYPE_CHECKING:
    from covey.evidence import Evidence
    from covey.utils.typing import Floats, Integers


class RecordRisk(NamedTuple):
    """The rows of the input that are published, each with its class and its individual risk."""

    row: Integers
    """From 1, the first record."""
    size: Integers
    people: Floats
    chance: Floats

    def to_csv(self) -> str:
        """One line a record, in the order of the input."""
        lines = [
            f"{row},{size},{people:.12g},{chance:.12g}"
            for row, size, people, chance in zip(*(column.tolist() for column in self), strict=True)
        ]
        return "\n".join(["row,class_size,people,individual_risk", *lines]) + "\n"


def record_risk(evidence: Evidence, rows: Integers) -> RecordRisk:
    """The risk of every published record; `rows` are their places in the input."""
    found, of = classes_at_risk(evidence), evidence.classes
    return RecordRisk(rows + 1, found.size[of], found.people[of], found.chance[of])
