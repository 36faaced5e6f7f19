"""What else a release can do, beside linked units: compared settings, amounts of large members, coding, derived columns and their attackers."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import covey
from covey.errors import InfeasibleError
from tests.units import oracle
from tests.units.test_release import QUASI, households, released, units_of

DERIVED = {"size": "count", "children": "count of child", "years": "sum of age"}


@pytest.mark.parametrize("seed", range(12))
def test_derived_columns_and_rules_leave_no_attacker_fewer_than_k(seed: int) -> None:
    """Tables of up to 9 units: who knows rows of a unit, or all, with what is derived of it, is left with k units at least."""
    table, k = households(random.Random(seed).randint(6, 9), 2, seed), 2
    choices: dict[str, Any] = {"member_role": "role", "merge_roles": {"partner": "other"}, "small_units": "suppress"}
    try:
        done = released(table, k, derive={"size": "count", "years": "sum of age"}, **choices)
    except InfeasibleError:
        return
    assert oracle.fewest_candidates(units_of(done, "role", "size", "years")) >= k


def test_settings_are_compared() -> None:
    found = covey.compare(
        households(60, 3), [2, 3], ["auto", "mdav"], quasi=QUASI, unit="home", random_ids=["home"], drop_rest=True
    )
    assert [setting.error for setting in found.settings] == [None] * 4


def test_one_household_does_not_dominate_a_mean_by_many_members() -> None:
    """A household is one contributor, however many of its members say the same amount."""
    table = households(90, 3)
    homes = table["home"].to_pylist()
    large = next(home for home in homes if homes.count(home) == 3)
    income = np.where(np.array([home == large for home in homes]), 900_000.0, table["income"].to_numpy())
    table = table.set_column(table.column_names.index("income"), "income", pa.array(income))
    table = table.append_column("tag", table["home"])
    amounts = {row["home"]: row["income"] for row in table.to_pylist()}
    broken = []
    for p in (None, 5.0):
        done = released(table, quasi=["income"], keep=["tag"], accept=["tag"], p_percent=p)
        classes: dict[tuple[float, int], set[str]] = {}
        sizes = Counter(done.arrow["tag"].to_pylist())
        for row in done.arrow.to_pylist():
            classes.setdefault((row["income"], sizes[row["tag"]]), set()).add(row["tag"])
        largest = [sorted((amounts[home] for home in alike), reverse=True) for alike in classes.values()]
        broken.append(sum(sum(some[2:]) < 0.05 * some[0] for some in largest))
    assert broken[0] > 0
    assert broken[1] == 0


def test_ends_are_coded_before_units_are_grouped() -> None:
    done = released(households(90, 3), top={"age": 60}, derive={"eldest": "max of age"})
    assert max(done.arrow["age"].to_pylist()) <= 60
    assert max(done.arrow["eldest"].to_pylist()) <= 60
    assert min(oracle.appearances(units_of(done, "eldest")).values()) >= 3
