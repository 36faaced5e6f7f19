"""What the kernels are asked for by name or number is one that they have, or refused: never another one, never memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from covey._kernels import diverse, line, space
from covey.costs import COSTS
from covey.line.diversity.problem import OBJECTIVES
from covey.protect.demands import NO_CODES, NOTHING

X = np.arange(6.0)
COLOURS = np.array([0, 1, 0, 1, 0, 1], dtype=np.int32)
RULES = (2, 3, 0.0, 0.0, 0)
KINDS = ("distinct", "entropy", "recursive", "equal", "ordered", "spread", "p_percent", "dominance")

BY_COST: dict[str, Any] = {
    "fastest": lambda cost: line.fastest(X, True, 2, cost, RULES, 0, False),
    "classic": lambda cost: line.classic(X, True, 2, cost, RULES, 0, False),
    "direct": lambda cost: line.direct(X, 2, cost),
    "divide": lambda cost: line.divide(X, 2, cost),
    "stream": lambda cost: line.Stream(cost, 2, 1),
}
BY_OBJECTIVE: dict[str, Any] = {
    "window": lambda objective: diverse.window(X, COLOURS, 2, 2, objective, 1.0, 1 << 20),
    "start": lambda objective: diverse.start(X, COLOURS, 2, 2, objective),
    "table": lambda objective: diverse.table(X, COLOURS, 2, 2, objective, 1.0),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_rule_is_known(kind: str) -> None:
    space.Demand().add(kind, NO_CODES, 2.0, 2.0, NOTHING, NOTHING, NOTHING, NO_CODES)


@pytest.mark.parametrize("kind", ["", "Distinct", "dominanc", "spreads"])
def test_a_rule_that_is_not_known_is_refused(kind: str) -> None:
    with pytest.raises(
        ValueError, match=f"no rule is called '{kind}'; give one of alpha, distinct, dominance, .*spread$"
    ):
        space.Demand().add(kind, NO_CODES, 2.0, 2.0, NOTHING, NOTHING, NOTHING, NO_CODES)


@pytest.mark.parametrize("name", BY_COST)
def test_costs_have_the_numbers_of_their_order(name: str) -> None:
    for number in range(len(COSTS) + 1):
        BY_COST[name](number)
    for number in (-1, len(COSTS) + 1):
        with pytest.raises(ValueError, match=f"no cost has the number {number}; give 0 to {len(COSTS)}"):
            BY_COST[name](number)


@pytest.mark.parametrize("name", BY_OBJECTIVE)
def test_objectives_have_the_numbers_of_their_order(name: str) -> None:
    for number in range(len(OBJECTIVES)):
        BY_OBJECTIVE[name](number)
    for number in (-1, len(OBJECTIVES)):
        with pytest.raises(ValueError, match=f"no objective has the number {number}; give 0 to {len(OBJECTIVES) - 1}"):
            BY_OBJECTIVE[name](number)
