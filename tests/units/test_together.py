"""What else a release can do, beside linked units: compared settings, amounts of large members, coding, derived columns and their attackers."""

from __future__ import annotations

import random
from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import csv

import covey
from covey.errors import InfeasibleError
from tests.units import oracle
from tests.units.test_release import QUASI, households, released, units_of

if TYPE_CHECKING:
    from pathlib import Path

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


@pytest.mark.parametrize("file", [False, True])
@pytest.mark.parametrize(
    ("required", "out"),
    [({"p_percent": 10}, "suppress"), ({"dominance": (1, 60)}, "rows"), ({"alpha": 0.5}, "suppress")],
)
def test_who_is_left_out_does_not_make_others_fail(
    required: dict[str, Any], out: str, tmp_path: Path, *, file: bool
) -> None:
    """Large households would make most of all amounts, or have most of one illness: the others hold what all together do not."""
    homes = [home for home in range(60) for _ in range(1 + home % 2)]
    rows = [{"home": f"h{home}", "x": 100.5 + home, "ill": "abc"[home % 3]} for home in homes]
    large = [home for home in range(70 if "alpha" in required else 2) for _ in range(5)]
    rows += [{"home": f"large{home}", "x": 90_000.5 + home, "ill": "a"} for home in large]
    table = pa.Table.from_pylist(rows)
    choices: dict[str, Any] = {"quasi": ["x"], "unit": "home", "random_ids": ["home"], "ledger": False, **required}
    choices |= {"sensitive": ["ill"], "accept": ["ill"]} if "alpha" in required else {"drop": ["ill"]}
    choices |= {"small_units": "suppress"} if out == "suppress" else {"max_rows": 4}
    if file:
        csv.write_csv(table, tmp_path / "in.csv")
        published = pq.read_table(covey.release_file(tmp_path / "in.csv", tmp_path / "out.parquet", 3, **choices).path)
    else:
        published = covey.release(table, 3, measuring=False, **choices).arrow
    assert len({*published["home"].to_pylist()}) in (30, 60)
    assert max(published["x"].to_pylist()) < 200
    if "alpha" in required:
        with pytest.raises(InfeasibleError, match="cannot hold: all records together have 3 different values"):
            covey.release(table, 3, measuring=False, **(choices | {"alpha": 0.3}))


def test_ends_are_coded_before_units_are_grouped() -> None:
    done = released(households(90, 3), top={"age": 60}, derive={"eldest": "max of age"})
    assert max(done.arrow["age"].to_pylist()) <= 60
    assert max(done.arrow["eldest"].to_pylist()) <= 60
    assert min(oracle.appearances(units_of(done, "eldest")).values()) >= 3
