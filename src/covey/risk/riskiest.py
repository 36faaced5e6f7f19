"""The riskiest combinations of the original, and what became of them: internal, since it shows original values."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.risk.reidentification import classes_at_risk
from covey.utils.words import as_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from covey.columns.values import Values
    from covey.evidence import Evidence
    from covey.utils.typing import Codes, Floats

MOST = 10
PIECE = 100_000
"""Records whose coordinates are held at a time."""


@dataclass(frozen=True)
class Combination:
    """Values of all quasi-identifiers, how many records (units) had them and at what risk; and the same of what they became."""

    values: Mapping[str, str]
    size: int
    risk: float
    became: Mapping[str, str]
    size_after: int
    risk_after: float

    def as_dict(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self)


def riskiest(evidence: Evidence, most: int = MOST) -> list[Combination]:
    """The combinations with the largest individual risk in the original; of equal ones those farthest from the middle of all records."""
    untouched = evidence.untouched()
    classes, after = classes_at_risk(untouched), classes_at_risk(evidence)
    first = np.unique(untouched.classes, return_index=True)[1]
    order = np.lexsort((-_remoteness(untouched, first), -classes.chance))[:most]
    return [
        Combination(
            _row(evidence.original, int(first[number])),
            int(classes.size[number]),
            float(classes.chance[number]),
            _row(evidence.released, int(first[number])),
            int(after.size[evidence.classes[first[number]]]),
            float(after.chance[evidence.classes[first[number]]]),
        )
        for number in order.tolist()
    ]


def _remoteness(evidence: Evidence, rows: Codes) -> Floats:
    """How far records lie from the mean of these."""
    pieces = np.split(rows, range(PIECE, len(rows), PIECE))
    middle = np.sum([evidence.points(piece).sum(axis=0) for piece in pieces], axis=0) / len(rows)
    return np.concatenate([((evidence.points(piece) - middle) ** 2).sum(axis=1) for piece in pieces])


def _row(columns: Mapping[str, Values], row: int) -> dict[str, str]:
    """The values of a row as text."""
    texts = {}
    for name, column in columns.items():
        value = column.take(np.array([row])).build().to_pylist()[0]
        texts[name] = "missing" if value is None else as_text(value)
    return texts
