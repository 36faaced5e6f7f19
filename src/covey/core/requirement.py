"""`Requirement`: what the sensitive values of every class, or the amounts behind a mean, must satisfy beside k records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Diversity = Literal["distinct", "entropy", "recursive"]
"""The forms of l-diversity."""
ALPHA, CLOSENESS, SPREAD = "alpha", "closeness", "spread"
P_PERCENT, DOMINANCE = "p_percent", "dominance"


@dataclass(frozen=True)
class Requirement:
    """One requirement on one column.

    kind: "distinct", "entropy" or "recursive" l-diversity (Machanavajjhala et al. 2007), "alpha" (no value has a larger
    share of a class, Wong et al. 2006), "closeness" (t-closeness, Li et al. 2007) or "spread": the least difference between the largest
    and the smallest number of a class. `limit` is l, alpha, t or that difference; `c` belongs to the recursive form.

    Of amounts that are published as means: "p_percent", the others but the largest two make at least `limit` % of the largest;
    "dominance", the largest `n` make at most `limit` % of all (Hundepool et al. 2012, chapter 4).
    """

    column: str
    kind: str
    limit: float
    c: float = 0.0
    n: int = 0

    def __str__(self) -> str:
        if self.kind == "distinct":
            return f"at least {self.limit:g} different values of {self.column}"
        if self.kind == "entropy":
            return f"an entropy of {self.column} of at least log {self.limit:g}"
        if self.kind == "recursive":
            return f"recursive ({self.c:g}, {self.limit:g})-diversity of {self.column}"
        if self.kind == ALPHA:
            return f"no value of {self.column} with a share above {self.limit:g}"
        if self.kind == CLOSENESS:
            return f"a distribution of {self.column} within {self.limit:g} of that of the release"
        if self.kind == P_PERCENT:
            return f"amounts of {self.column} by which nobody knows the largest within {self.limit:g} % (p % rule)"
        if self.kind == DOMINANCE:
            return f"amounts of {self.column} of which the largest {self.n} make at most {self.limit:g} % (dominance)"
        return f"values of {self.column} that are spread over at least {self.limit:g}"
