"""Propensity score: how well a model tells released records from original ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covey.core.measure import Measure
from covey.evidence import Evidence, Measured

if TYPE_CHECKING:
    from covey.utils.typing import Floats, Integers


def propensity(evidence: Evidence) -> list[Measured]:
    """PMSE and its ratio to what identical distributions would give.

    A logistic regression on the coordinates and their squares guesses which of the stacked records are released; pMSE is the
    mean squared distance of its probabilities from 1/2. Where the two are alike its expectation is (q - 1) / (8 N) for q terms
    and N stacked records.

    Source: Snoke, Raab, Nowok, Dibben & Slavkovic 2018, General and specific utility measures for synthetic data.
    """
    rows = evidence.drawn()
    terms = _terms(evidence, rows)
    outcome = np.repeat([0.0, 1.0], len(rows))
    weights = logistic(terms, outcome)
    pmse = _pmse(terms, weights)
    expected = max(1, terms.shape[1] - 1) / (8.0 * len(terms))
    interval = None
    if len(rows) < evidence.rows:
        pmse, interval = _resampled(terms, outcome, weights, pmse)
    text = "How well a model tells released records from original ones: 0 not at all, 0.25 always (pMSE)."
    ratio = (
        "pMSE in units of what two independent tables of the same distribution would give; below 1 is better than that."
    )
    measured = [Measured(Measure.PROPENSITY_SCORE, pmse, text, interval=interval)]
    if interval is None:  # its expectation is one of all records
        measured.append(Measured(Measure.PROPENSITY_RATIO, pmse / expected, ratio))
    return measured


def _terms(evidence: Evidence, rows: Integers) -> Floats:
    """A constant, the coordinates of original and released records and their squares, less what others say already."""
    both = np.vstack([evidence.points(rows), evidence.released_points(rows)])
    both = (both - both.mean(axis=0)) / np.maximum(both.std(axis=0), 1e-12)
    terms = np.column_stack([np.ones(len(both)), both, np.clip(both, -10, 10) ** 2])
    if len(terms) < terms.shape[1]:
        return terms
    left = np.abs(np.diagonal(np.asarray(np.linalg.qr(terms, mode="r"))))
    return terms[:, left > 1e-8 * left.max()]


def _pmse(terms: Floats, weights: Floats) -> float:
    return float(((_score(terms, weights) - 0.5) ** 2).mean())


def _resampled(
    terms: Floats, outcome: Floats, weights: Floats, pmse: float, times: int = 20
) -> tuple[float, tuple[float, float]]:
    """The score less what a small sample adds to it, and an interval: by the bootstrap, always the same.

    A record stays beside its original. What resampling adds once more is taken for what sampling added, and the interval is
    that much wider, too.
    """
    draws = np.random.RandomState(0)
    n = len(terms) // 2
    scores = []
    for _ in range(times):
        rows = draws.randint(0, n, n)
        some = np.concatenate([terms[rows], terms[rows + n]])
        scores.append(_pmse(some, logistic(some, outcome, start=weights)))
    added = float(np.mean(scores)) - pmse
    value = min(0.25, max(0.0, pmse - added))
    half = 1.96 * float(np.std(scores)) + abs(added)
    return value, (max(0.0, value - half), min(0.25, value + half))


def logistic(terms: Floats, outcome: Floats, rounds: int = 25, *, start: Floats | None = None) -> Floats:
    """The weights of a logistic regression, by Newton's method with a little ridge."""
    weights = np.zeros(terms.shape[1]) if start is None else start.copy()
    ridge = 1e-6 * len(terms) * np.eye(terms.shape[1])
    for _ in range(rounds):
        score = _score(terms, weights)
        slope = terms.T @ (outcome - score) - ridge @ weights
        bend = (terms * (score * (1 - score))[:, None]).T @ terms + ridge
        change = np.linalg.solve(bend, slope)
        weights += change
        if np.abs(change).max() < 1e-8:
            break
    return weights


def _score(terms: Floats, weights: Floats) -> Floats:
    """The probability of being released."""
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(terms @ weights, -30, 30))))
