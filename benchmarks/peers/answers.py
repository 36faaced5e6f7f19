"""Checks what a package answered, by code that shares nothing with Covey: rows, sizes, loss, the optimum on a line, MDAV.

The optimum is exact: doubles are whole numbers over a power of two, and a group's sum of squares, times the least common
multiple of the possible sizes, is a whole number. O(nk) operations on Python integers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

ROUNDING = 1e-6  # of the loss: what rounding may cost a program that looks for the optimum
FINEST = 1e-12  # of the spread of the column, squared, a record: losses below it are rounding alone


@dataclass(frozen=True)
class Answer:
    """What is true of a grouping: `lost` rows have no group; `wrong` says in words what must not be."""

    groups: int
    smallest: int
    lost: int
    loss: float
    wrong: tuple[str, ...]


def check(X: np.ndarray, labels: Any, k: int, optimum: Fraction | None = None) -> Answer:
    """Recount a grouping of the rows of X; with an optimum, the loss must attain it."""
    given = np.asarray(labels)
    if given.shape != (len(X),):
        return Answer(0, 0, len(X), math.nan, (f"{given.shape} labels for {len(X)} rows",))
    whole = np.isfinite(given.astype(np.float64))
    placed = whole & (given >= 0)
    lost = int(np.count_nonzero(~placed))
    _, codes, sizes = np.unique(given[placed], return_inverse=True, return_counts=True)
    smallest = int(sizes.min()) if len(sizes) else 0
    wrong = []
    if lost:
        wrong.append(f"{lost} rows lost")
    if smallest < k:
        wrong.append(f"{int(np.count_nonzero(sizes < k))} groups below k, the smallest of {smallest}")
    loss = loss_of(X[placed], codes)
    if optimum is not None and not wrong:
        wrong += beyond(X, codes, optimum)
    return Answer(len(sizes), smallest, lost, loss, tuple(wrong))


def loss_of(X: np.ndarray, codes: np.ndarray) -> float:
    """The sum of squared distances to the means of the groups; centred first, so that an offset costs no digits."""
    centred = X - X[:1]
    counts = np.bincount(codes)
    total = 0.0
    for column in centred.T:
        means = np.bincount(codes, weights=column) / counts
        total += float(np.sum((column - means[codes]) ** 2))
    return total


def beyond(X: np.ndarray, codes: np.ndarray, optimum: Fraction) -> list[str]:
    """By how much the loss of a grouping is above the optimum, if it is."""
    loss = exact_loss(X[:, 0], codes)
    spread = float(np.ptp(X[:, 0]))
    allowed = max(ROUNDING * float(optimum), FINEST * spread**2 * len(X))
    if float(loss - optimum) <= allowed:
        return []
    if not optimum:
        return [f"loss {float(loss):.1e} and not the optimum, 0"]
    return [f"not the optimum: loss larger by {float(100 * (loss / optimum - 1)):.2g} %"]


def whole_numbers(x: np.ndarray) -> tuple[list[int], int]:
    """Doubles as whole numbers over one power of two."""
    ratios = [float(value).as_integer_ratio() for value in x]
    scale = max(denominator for _, denominator in ratios)
    return [numerator * (scale // denominator) for numerator, denominator in ratios], scale


def exact_loss(x: np.ndarray, codes: np.ndarray) -> Fraction:
    """The loss of a grouping without rounding."""
    values, scale = whole_numbers(x)
    groups: dict[int, list[int]] = {}
    for value, code in zip(values, codes.tolist(), strict=True):
        groups.setdefault(code, []).append(value)
    total = sum(
        (Fraction(sum(v * v for v in group)) - Fraction(sum(group) ** 2, len(group)) for group in groups.values()),
        Fraction(0),
    )
    return total / scale**2


def least_loss(x: np.ndarray, k: int) -> Fraction:
    """The least loss of any grouping of a column into groups of at least k, without rounding.

    By the definition: the best last group of every prefix; groups are runs of the sorted column of k to 2k - 1 values.

    >>> least_loss(np.array([1.0, 2.0, 4.0, 5.0, 9.0]), 2)
    Fraction(29, 2)
    """
    values, scale = whole_numbers(np.sort(x))
    n = len(values)
    common = math.lcm(*range(k, min(2 * k, n + 1)))
    sums, squares = [0], [0]
    for value in values:
        sums.append(sums[-1] + value)
        squares.append(squares[-1] + value * value)
    best: list[int | None] = [0] + [None] * n
    for stop in range(k, n + 1):
        least = None
        for size in range(k, min(2 * k - 1, stop) + 1):
            before = best[stop - size]
            if before is None:
                continue
            total = sums[stop] - sums[stop - size]
            cost = before + common * (squares[stop] - squares[stop - size]) - common // size * total * total
            least = cost if least is None or cost < least else least
        best[stop] = least
    found = best[n]
    assert found is not None  # k to 2k - 1 values make one group, more can be cut
    return Fraction(found, common * scale**2)


def mdav_labels(X: np.ndarray, k: int) -> np.ndarray:
    """The groups of MDAV by its definition; the first of equally far or near rows. O(n² / k).

    The k nearest to the row that is farthest from the mean, then the k nearest to the row that is farthest from that one, while
    3k rows are left; of 2k to 3k - 1 the k nearest to the farthest from the mean, and the rest.
    """
    labels = np.full(len(X), -1)
    groups = 0

    def left() -> np.ndarray:
        return np.flatnonzero(labels < 0)

    def distances(point: np.ndarray) -> np.ndarray:
        return np.asarray(((X[left()] - point) ** 2).sum(axis=1))

    while len(left()) >= 2 * k:
        far = left()[np.argmax(distances(X[left()].mean(axis=0)))]
        other = left()[np.argmax(distances(X[far]))]
        for row in (far, other) if len(left()) >= 3 * k else (far,):
            labels[left()[np.argsort(distances(X[row]), kind="stable")[:k]]] = groups
            groups += 1
    labels[left()] = groups
    return labels


def shared_groups(labels: np.ndarray, others: np.ndarray) -> float:
    """The share of the groups of one labelling that are groups of the other, too.

    >>> shared_groups(np.array([0, 0, 1, 1, 2, 2]), np.array([5, 5, 7, 7, 7, 7]))
    0.3333333333333333
    """
    _, ours, sizes = np.unique(labels, return_inverse=True, return_counts=True)
    _, theirs, other_sizes = np.unique(others, return_inverse=True, return_counts=True)
    pairs, common = np.unique(np.stack([ours.ravel(), theirs.ravel()]), axis=1, return_counts=True)
    same = (common == sizes[pairs[0]]) & (common == other_sizes[pairs[1]])
    return float(np.count_nonzero(same) / len(sizes))


def unlike_mdav(loss: float, expected: float) -> list[str]:
    """How a loss differs from that of MDAV, by more than rows that are equally far can explain."""
    if abs(loss - expected) <= 1e-3 * expected:
        return []
    return [f"not MDAV: loss {100 * (loss / expected - 1):+.2g} % beside its definition"]
