"""What proves the tight bound is checked by a program of its own, in exact arithmetic, and a wrong certificate is found."""

from __future__ import annotations

import copy
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from benchmarks.bounds.certify import certificate
from benchmarks.bounds.check_certificate import Checker
from covey.space import lower_bound
from tests.space.exact_optimum import exact_optimum

TABLE = np.vstack([np.eye(4), 50.0 + np.random.default_rng(0).normal(size=(7, 4))])


@pytest.fixture(scope="module")
def good() -> dict[str, Any]:
    return certificate(TABLE, seconds=10.0)


def test_a_certificate_proves_its_bound_in_exact_arithmetic(good: dict[str, Any]) -> None:
    checker = Checker(good)
    assert len(good["cuts"]) > 0
    assert checker.holds()
    assert checker.bound() >= Fraction(lower_bound(TABLE, 3, method="tight"))
    assert checker.bound() <= exact_optimum(TABLE.tolist(), 3) <= checker.loss()


@pytest.mark.parametrize("what", ["a price", "a toll", "the partition", "a toll below 0"])
def test_a_wrong_certificate_is_found(good: dict[str, Any], what: str) -> None:
    wrong = copy.deepcopy(good)
    if what == "a price":
        wrong["prices"][0] = (float.fromhex(wrong["prices"][0]) * 1.2 + 0.1).hex()
    elif what == "a toll":
        wrong["cuts"] = []
    elif what == "a toll below 0":
        wrong["cuts"][0]["toll"] = (-1.0).hex()
    else:
        wrong["labels"][0] = 99
    if what in ("a price", "a toll"):
        assert not Checker(wrong).holds()
    else:
        with pytest.raises(ValueError, match="needed|partition"):
            Checker(wrong).loss()


def test_every_group_that_is_above_is_seen(good: dict[str, Any]) -> None:
    """Of all groups of three, whatever the prices, against looking at each."""
    import itertools

    rng = np.random.default_rng(1)
    for _ in range(3):
        prices = rng.random(len(TABLE)) * 3.0
        checker = Checker(good | {"prices": [p.hex() for p in prices.tolist()], "cuts": []})
        above = {
            g
            for g in itertools.combinations(range(len(TABLE)), 3)
            if sum(checker.prices[i] for i in g) > checker.cost(g)
        }
        assert {tuple(sorted(g)) for g in checker._triples()} == above
