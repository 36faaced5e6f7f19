"""Propensity score: how well a model tells released records from original ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covey.evidence import Evidence, Measured

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


def propensity(evidence: Evidence) -> list[Measured]:
    """PMSE and its ratio to what identical distributions would give.

    A logistic regression on the coordinates and their squares guesses which of the stacked records are released; pMSE is the
    mean squared distance of its probabilities from 1/2. Where the two are alike its expectation is (q - 1) / (8 N) for q terms
    and N stacked records.

    Source: Snoke, Raab, Nowok, Dibben & Slavkovic 2018, General and specific utility measures for synthetic data.
    """
    rows = evidence.drawn()
    both = np.vstack([evidence.points[rows], evidence.released_points[rows]])
    both = (both - both.mean(axis=0)) / np.maximum(both.std(axis=0), 1e-12)
    terms = np.column_stack([np.ones(len(both)), both, np.clip(both, -10, 10) ** 2])
    kept = (
        np.diagonal(np.asarray(np.linalg.qr(terms, mode="r")))
        if len(terms) >= terms.shape[1]
        else np.ones(terms.shape[1])
    )
    terms = terms[:, np.abs(kept) > 1e-8 * np.abs(kept).max()]
    released = np.repeat([0.0, 1.0], len(rows))
    score = logistic(terms, released)
    pmse = float(((score - 0.5) ** 2).mean())
    expected = (terms.shape[1] - 1) / (8.0 * len(both))
    sampled = "" if len(rows) == evidence.rows else f" From a sample of {len(rows)} records."
    text = "How well a model tells released records from original ones: 0 not at all, 0.25 always (pMSE)." + sampled
    ratio = "pMSE in units of what two tables of the same distribution would give: 1 is as good as it gets." + sampled
    return [
        Measured("propensity score", pmse, "lower", text),
        Measured("propensity ratio", pmse / expected if expected > 0 else 1.0, "lower", ratio),
    ]


def logistic(terms: Floats, outcome: Floats, rounds: int = 25) -> Floats:
    """The probabilities of a logistic regression, by Newton's method with a little ridge."""
    weights = np.zeros(terms.shape[1])
    ridge = 1e-6 * len(terms) * np.eye(terms.shape[1])
    score = np.full(len(terms), 0.5)
    for _ in range(rounds):
        score = 1.0 / (1.0 + np.exp(-np.clip(terms @ weights, -30, 30)))
        slope = terms.T @ (outcome - score) - ridge @ weights
        bend = (terms * (score * (1 - score))[:, None]).T @ terms + ridge
        change = np.linalg.solve(bend, slope)
        weights += change
        if np.abs(change).max() < 1e-8:
            break
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(terms @ weights, -30, 30))))
