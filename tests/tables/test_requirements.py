"""What is required of a column of the first of two linked tables counts persons, one value each, however many visits they have: by definitions."""

from __future__ import annotations

from collections import Counter
from math import exp, log
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pytest

import covey
from covey.errors import InfeasibleError
from covey.recount.requirements import Held
from tests.tables.test_release import released

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

QUASI = ["age", "days"]
VISITS_OF_THE_ILL = 9


def skewed(seed: int, number: int = 120) -> tuple[pa.Table, pa.Table]:
    """Persons without, with one and with nine visits: those with nine have other illnesses and higher incomes."""
    rng = np.random.default_rng(seed)
    visits = rng.choice([0, 1, VISITS_OF_THE_ILL], number, p=[0.4, 0.4, 0.2])
    often = visits == VISITS_OF_THE_ILL
    ill = np.where(
        often, rng.choice([*"abc"], number, p=[0.1, 0.2, 0.7]), rng.choice([*"abc"], number, p=[0.6, 0.3, 0.1])
    )
    income = rng.integers(1, 9, number) + 3 * often
    age = rng.integers(20, 40, number)
    of = np.repeat(np.arange(number), visits)
    persons = pa.table({"person": range(number), "age": age, "ill": ill.tolist(), "income": income})
    return persons, pa.table({"person": of, "days": rng.integers(1, 5, len(of))})


def classes(first: pa.Table, second: pa.Table, column: str) -> list[list[Any]]:
    """The values of the persons that look the same in both tables, one a person."""
    rows: dict[str, list[Any]] = {row["person"]: [] for row in first.to_pylist()}
    for row in second.to_pylist():
        rows[row["person"]].append(row["days"])
    alike: dict[Any, list[Any]] = {}
    for row in first.to_pylist():
        alike.setdefault((row["age"], *sorted(rows[row["person"]])), []).append(row[column])
    return list(alike.values())


def entropy(of: list[Any]) -> float:
    shares = [number / len(of) for number in Counter(of).values()]
    return exp(-sum(share * log(share) for share in shares))


def recursive(of: list[Any]) -> float:
    """The least c of (c, 2)-diversity."""
    first, *rest = sorted(Counter(of).values(), reverse=True)
    return float(first / sum(rest)) if rest else float("inf")


def equal(of: list[Any], everyone: list[Any]) -> float:
    return sum(abs(of.count(one) / len(of) - everyone.count(one) / len(everyone)) for one in {*everyone}) / 2


def ordered(of: list[Any], everyone: list[Any]) -> float:
    """The work to move one distribution to the other, the values a step apart."""
    values = sorted({*everyone})
    below = [[sum(one <= value for one in some) / len(some) for value in values[:-1]] for some in (of, everyone)]
    return float(sum(abs(here - there) for here, there in zip(*below, strict=True)) / (len(values) - 1))


ASKED: dict[str, tuple[dict[str, Any], str]] = {
    "distinct": ({"l_diversity": 2}, "ill"),
    "entropy": ({"l_diversity": 1.7, "diversity": "entropy"}, "ill"),
    "recursive": ({"l_diversity": 2, "diversity": "recursive", "recursive_c": 4.0}, "ill"),
    "alpha": ({"alpha": 0.75}, "ill"),
    "equal": ({"t_closeness": 0.4}, "ill"),
    "ordered": ({"t_closeness": 0.25}, "income"),
    "spread": ({"spread": {"income": 2.0}}, "income"),
}


def by_persons(name: str, alike: list[list[Any]]) -> float:
    """What the worst class reaches."""
    everyone = [one for of in alike for one in of]
    reached: dict[str, Callable[[], float]] = {
        "distinct": lambda: min(len({*of}) for of in alike),
        "entropy": lambda: min(map(entropy, alike)),
        "recursive": lambda: max(map(recursive, alike)),
        "alpha": lambda: max(max(Counter(of).values()) / len(of) for of in alike),
        "equal": lambda: max(equal(of, everyone) for of in alike),
        "ordered": lambda: max(ordered(of, everyone) for of in alike),
        "spread": lambda: min(max(of) - min(of) for of in alike),
    }
    return float(reached[name]())


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", ASKED)
def test_what_is_required_holds_by_persons_and_is_recounted_so(name: str, seed: int, tmp_path: Path) -> None:
    limit, column = ASKED[name]
    other = {"ill": "income", "income": "ill"}[column]
    choices: dict[str, Any] = {
        "quasi": QUASI,
        "keep": [],
        "accept": [],
        "sensitive": [column],
        "drop": [other],
        "small_units": "suppress",
    }
    done = released(skewed(seed), **choices, **limit)
    (asked,) = done.recipe.requirements
    reached = by_persons(name, classes(done.first, done.second, column))
    assert Held(asked, reached).holds
    (recounted,) = done.recount(done.first, done.second).held
    assert recounted.reached == pytest.approx(reached)
    (certified,) = done.certificate.public["requirements"]
    assert certified["worst_class"] == pytest.approx(reached)
    paths = [tmp_path / name for name in ("p.csv", "v.csv", "c.json")]
    done.write(*paths[:2], certificate=paths[2], ledger=False)
    assert covey.check_certificate(paths[0], paths[2], second=paths[1]).passed


def test_what_classes_show_counts_persons() -> None:
    for seed in range(4):
        done = released(
            skewed(seed), quasi=QUASI, keep=[], accept=[], sensitive=["ill"], drop=["income"], small_units="suppress"
        )
        alike = classes(done.first, done.second, "ill")
        (show,) = done.report.sensitive
        assert show.distinct_l == by_persons("distinct", alike)
        assert show.t_closeness == pytest.approx(by_persons("equal", alike))


@pytest.mark.parametrize("rule", [{"p_percent": {"income": 10}}, {"dominance": {"income": (1, 80)}}])
def test_who_has_many_visits_contributes_an_amount_once(rule: dict[str, Any]) -> None:
    """One of 61 has 900 visits, is left out, and fails nobody: 900 times an income would be more than all others have together."""
    visits = np.append(np.arange(60) % 3, 900)
    persons = pa.table({"person": range(61), "income": 100 + np.arange(61)})
    of = np.repeat(np.arange(61), visits)
    done = released(
        (persons, pa.table({"person": of, "days": of % 4 + 1})),
        quasi=["income", "days"],
        keep=[],
        accept=[],
        small_units="suppress",
        **rule,
    )
    assert len(done.first) == 40  # none or at least k leave: with the one a whole composition
    alone = persons.set_column(1, "income", pa.array([1] * 60 + [900]))
    with pytest.raises(InfeasibleError, match="or which do not hold what is required"):
        released((alone, pa.table({"person": [0], "days": [1]})), quasi=["income", "days"], keep=[], accept=[], **rule)
