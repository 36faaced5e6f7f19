"""Groups of records on a line that satisfy one demand on one sensitive column: exact for few values, made of different colours else."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from covey.core.requirement import ALPHA
from covey.line.diversity.merged import different_colours
from covey.line.diversity.mixed import best_mixed
from covey.space.comply import MOST_TRIED

if TYPE_CHECKING:
    from covey.line.diversity.mixed import Mixing
    from covey.protect.demands import Demands
    from covey.utils.typing import Codes, Floats, Labels, Points, Rows


MOST_CELLS, MOST_STEPS = 2_000_000, 40_000_000
"""Of the table of the recursion: what takes about a second."""


class Line(NamedTuple):
    """The coordinates of records, the sensitive values from 0, l, and what is asked: alone, if there is nothing else."""

    x: Floats
    codes: Labels
    l: int  # noqa: E741
    rule: Mixing
    exactly: bool
    """Whether groups of that rule satisfy the demands, and no others do."""


def line_of(points: Points, demands: Demands, rows: Rows) -> Line | None:
    """The line on which these rows lie with what is asked of the values of a column; None where it is not one, or values are missing.

    A share of alpha is one of 1/l at most, for l = 1/alpha rounded up; groups by what is written hold where those by coarse readings do.
    """
    rules = [rule for rule in demands.rules if not rule.spelled]
    if points.shape[1] != 1 or len(rules) != 1 or rules[0].kind not in ("distinct", ALPHA):
        return None
    asked, codes = rules[0].asked, demands.codes(rows)
    if codes is None or codes.max() > len(rows):  # a missing value has the largest code of all
        return None
    share = asked.kind == ALPHA
    least = math.ceil(1.0 / asked.limit * (1.0 - 1e-12)) if share else int(asked.limit)
    exactly = not demands.amounts and (not share or abs(1.0 / least - asked.limit) <= 1e-12)
    numbered = np.unique(codes, return_inverse=True)[1].reshape(-1).astype(np.int32)
    return Line(points[:, 0], numbered, least, "share" if share else "distinct", exactly)


def best_on_line(line: Line, k: int, keys: Floats | None = None) -> Codes | None:
    """The groups of least squares of all that satisfy what is asked; None where that is not known.

    With `keys`, the same numbers in units of a grid on which means are published, squares are after rounding.
    """
    if not line.exactly:
        return None
    x = line.x if keys is None else keys
    order = np.argsort(x, kind="stable")
    found = best_mixed(
        x[order], line.codes[order], k, line.l, line.rule, MOST_CELLS, MOST_STEPS, whole=keys is not None
    )
    return _unsorted(found, order)


def different_on_line(line: Line, k: int) -> Codes | None:
    """Groups in which no value has more than its share, made of groups of different values; None where that is not what is asked, or takes long."""
    if line.rule != "share" or len(line.x) > MOST_TRIED:
        return None
    order = np.argsort(line.x, kind="stable")
    return _unsorted(different_colours(line.x[order], line.codes[order], k, line.l), order)


def _unsorted(of_sorted: Labels | None, order: Rows) -> Codes | None:
    if of_sorted is None:
        return None
    labels = np.empty(len(order), dtype=np.int64)
    labels[order] = of_sorted
    return labels
