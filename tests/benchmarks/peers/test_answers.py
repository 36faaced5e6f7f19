"""The checker of the comparison sees what it is there to see."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest

import covey
from benchmarks.peers.answers import check, exact_loss, least_loss, loss_of, mdav_labels, unlike_mdav
from benchmarks.peers.tables import hard_on_a_line, in_space

COLUMN = np.array([1.0, 2.0, 3.0, 10.0, 11.0, 12.0])[:, None]
BEST = np.array([0, 0, 0, 1, 1, 1])


def test_a_right_answer_is_right() -> None:
    answer = check(COLUMN, BEST, 3, least_loss(COLUMN[:, 0], 3))
    assert (answer.groups, answer.smallest, answer.lost, answer.loss, answer.wrong) == (2, 3, 0, 4.0, ())


def test_a_lost_row_is_seen() -> None:
    assert check(COLUMN, np.array([0, 0, 0, -1, 1, 1]), 2).wrong == ("1 rows lost",)
    assert check(COLUMN, np.array([0, 0, 0, np.nan, 1, 1]), 2).wrong == ("1 rows lost",)
    assert "labels for 6 rows" in check(COLUMN, BEST[:5], 3).wrong[0]


def test_a_group_below_k_is_seen() -> None:
    assert check(COLUMN, np.array([0, 0, 0, 0, 1, 1]), 3).wrong == ("1 groups below k, the smallest of 2",)


def test_a_wrong_optimum_is_seen() -> None:
    other = np.array([0, 0, 1, 0, 1, 1])
    assert check(COLUMN, other, 3).wrong == ()
    wrong = check(COLUMN, other, 3, least_loss(COLUMN[:, 0], 3)).wrong
    assert len(wrong) == 1
    assert wrong[0].startswith("not the optimum")


def test_an_optimum_missed_by_a_hundred_thousandth_is_seen() -> None:
    rng = np.random.default_rng(0)
    x = rng.random(200)
    best = covey.partition(x, 4).labels
    optimum = least_loss(x, 4)
    assert check(x[:, None], best, 4, optimum).wrong == ()
    assert check(x[:, None], best, 4, optimum * Fraction(99_999, 100_000)).wrong


def test_a_constant_column_has_the_optimum_0() -> None:
    x = np.full(10, 4.25)
    assert least_loss(x, 3) == 0
    assert check(x[:, None], np.zeros(10, dtype=int), 3, Fraction(0)).wrong == ()


@pytest.mark.parametrize("k", [2, 3])
def test_the_optimum_is_the_least_of_all_partitions(k: int) -> None:
    for values in itertools.combinations_with_replacement((0.0, 0.1, 1e9), 6):
        x = np.array(values)
        losses = [
            exact_loss(x, np.array(labels))
            for labels in itertools.product(range(6 // k), repeat=6)
            if all(labels.count(label) >= k for label in labels)
        ]
        assert least_loss(x, k) == min(losses)


@pytest.mark.parametrize("k", [3, 10])
def test_covey_attains_it_on_hard_columns(k: int) -> None:
    for name, X in hard_on_a_line(k).items():
        assert check(X, covey.partition(X[:, 0], k).labels, k, least_loss(X[:, 0], k)).wrong == (), name


@pytest.mark.parametrize("n", [14, 15, 16, 301])
def test_mdav_by_definition_is_covey_s(n: int) -> None:
    X = in_space(n)
    assert covey.partition(X, 5, method="mdav") == covey.Partition(mdav_labels(X, 5))


def test_what_is_not_mdav_is_seen() -> None:
    X = in_space(300)
    loss = loss_of(X, mdav_labels(X, 5))
    assert unlike_mdav(loss, loss) == []
    assert unlike_mdav(covey.solve(X, 5).loss, loss)[0].startswith("not MDAV: loss -")
