"""Releases of linked units: what others see of them, against independent counts; and every choice about them."""

from __future__ import annotations

import itertools
import random
import re
from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pytest

import covey
from covey.errors import InfeasibleError, InputError, OptionError, RefusedError
from covey.report.render import to_html
from tests.units import oracle

if TYPE_CHECKING:
    from pathlib import Path

SECRET = "ab" * 32
QUASI = ["income", "age", "sex"]


def households(number: int = 60, most: int = 4, seed: int = 0, *, low: int = 1) -> pa.Table:
    """Households of some members; the income is of the household, roles are head, partner and child."""
    rng = np.random.default_rng(seed)
    size = rng.integers(low, most + 1, number)
    home = np.repeat(np.arange(number), size)
    place = np.concatenate([np.arange(n) for n in size])
    order = rng.permutation(len(home))
    columns = {
        "home": [f"h{one}" for one in home],
        "income": np.round(np.exp(rng.normal(8, 0.5, number)), -2)[home],
        "role": np.array(["head", "partner", "child"])[np.minimum(place, 2)],
        "age": np.where(place < 2, rng.integers(20, 80, len(home)), rng.integers(0, 20, len(home))),
        "sex": rng.choice(["f", "m"], len(home)),
        "ill": rng.choice(["flu", "none", "cold"], len(home)),
    }
    return pa.table(columns).take(pa.array(order))


def released(table: pa.Table, k: int = 3, **choices: Any) -> covey.Release:
    asked: dict[str, Any] = {"quasi": QUASI, "unit": "home", "random_ids": ["home"], "drop_rest": True, "ledger": False}
    return covey.release(table, k, **(asked | choices))


def units_of(done: covey.Release, *more: str) -> list[list[tuple[Any, ...]]]:
    return oracle.tuples_of_units(done.arrow.to_pylist(), "home", [*QUASI, *more])


@pytest.mark.parametrize("method", ["auto", "mdav", "search"])
def test_k_units_have_every_appearance(method: str) -> None:
    done = released(households(), method=method, options={"effort": 50} if method == "search" else {})
    seen = oracle.appearances(units_of(done))
    assert min(seen.values()) == done.certificate.k >= 3
    assert done.certificate.public["class_sizes"] == {str(n): m for n, m in sorted(Counter(seen.values()).items())}
    assert done.arrow.num_rows == households().num_rows
    assert done.certificate.public["rows_of_units_linked"]
    assert "of any or all rows of a unit" in done.certificate.public["promise"]


@pytest.mark.parametrize("seed", range(40))
def test_no_attacker_has_fewer_than_k_candidates(seed: int) -> None:
    """Tables of up to 9 units: who knows some rows of a unit, or all, and its size or not, is left with k units at least."""
    rng = random.Random(seed)
    k = rng.choice([2, 3])
    table = households(rng.randint(k, 9), rng.choice([1, 2, 3]), seed)
    roles: dict[str, Any] = {"member_role": "role"} if seed % 2 else {}
    try:
        done = released(table, k, small_units="suppress", **roles)
    except InfeasibleError:
        return
    units = units_of(done, *(["role"] if roles else []))
    assert oracle.fewest_candidates(units) >= k
    homes = len(set(table["home"].to_pylist()))
    assert homes - len(units) == 0 or homes - len(units) >= k


def test_whoever_knows_a_composition_finds_k_units() -> None:
    done = released(households(200, 3), member_role="role")
    made_of = Counter(tuple(sorted(row[-1] for row in unit)) for unit in units_of(done, "role"))
    assert min(made_of.values()) >= 3


@pytest.mark.parametrize("linked", [None, True])
def test_one_row_a_unit_is_the_release_of_rows(linked: bool | None) -> None:  # noqa: FBT001
    table = households(80, 1)
    choices: dict[str, Any] = {"entropy": SECRET, "sensitive": ["ill"], "method": "auto"}
    by_units = released(table, linked=linked, **choices)
    by_rows = released(table, unit=None, **choices)
    assert by_units.arrow.equals(by_rows.arrow)


def test_values_of_the_household_are_published_once() -> None:
    done = released(households())
    for unit in units_of(done):
        assert len({income for income, _, _ in unit}) == 1
    three = households().append_column("rent", pa.array(np.arange(households().num_rows) % 3))
    with pytest.raises(InputError, match=r"unit_columns have several values in a unit: rent \(in \d+ units\)"):
        released(three, quasi=[*QUASI, "rent"], unit_columns=["income", "rent"])
    assert released(three, quasi=[*QUASI, "rent"], unit_columns=["income"]).certificate.k >= 3


def test_a_slot_of_a_group_has_the_mean_of_its_members() -> None:
    """Two pairs of twins of households: each member's mean is over the members that resemble them."""
    table = pa.table(
        {
            "home": ["a", "a", "b", "b", "c", "c", "d", "d"],
            "income": [100, 100, 110, 110, 900, 900, 910, 910],
            "age": [40, 10, 12, 42, 80, 78, 79, 81],
            "sex": ["f", "m", "m", "f", "f", "m", "m", "f"],
        }
    )
    done = released(table, 2)
    assert oracle.appearances(units_of(done)) == oracle.appearances(
        [[(105, 41, "f"), (105, 11, "m")]] * 2 + [[(905, 80, "f"), (905, 78, "m")]] * 2
    )


def test_rows_leave_in_an_order_of_released_values() -> None:
    table = households(90, 4, low=2)
    done = released(table, sensitive=["ill"])
    rows = done.arrow.to_pylist()
    blocks = [list(some) for _, some in itertools.groupby(rows, key=lambda row: row["home"])]
    assert len(blocks) == 90  # rows of a unit stand together
    for block in blocks:
        seen = [(row["income"], row["age"], row["sex"]) for row in block]
        assert seen == sorted(seen)


def test_rows_that_look_the_same_leave_in_random_order() -> None:
    n = 400
    table = pa.table(
        {
            "home": np.repeat(np.arange(n), 2),
            "age": [30] * 2 * n,
            "income": [1] * 2 * n,
            "sex": ["f"] * 2 * n,
            "ill": ["first", "second"] * n,
        }
    )
    done = released(table, sensitive=["ill"], accept=["ill"])
    first = done.arrow["ill"].to_pylist()[::2].count("first")
    assert 140 < first < 260  # of 400: 6 standard deviations
    where = [row["home"] for row in done.arrow.to_pylist()]
    assert where[::2] == where[1::2]
    with pytest.raises(OptionError, match="the place of a row in its unit may tell whose it is"):
        released(table, shuffle=False)


def test_a_small_composition_is_an_error_or_left_out_whole() -> None:
    table = households(30, 3, 5)
    odd = pa.table({name: table[name].take(pa.array([0] * 6)) for name in table.column_names})
    odd = odd.set_column(0, "home", pa.array(["odd"] * 6))
    both = pa.concat_tables([table, odd])
    with pytest.raises(
        InfeasibleError, match=r"1 unit \(6 records\) has a composition .* that fewer than k = 3 units have"
    ):
        released(both)
    done = released(both, small_units="suppress")
    out = {len(unit) for unit in units_of(done)}
    assert out == {1, 2, 3}
    assert len(units_of(done)) == 31 - 3  # at least k are left out
    assert min(oracle.appearances(units_of(done)).values()) >= 3
    texts = " ".join(map(str, done.report.notes))
    assert "1 unit (6 records) whose composition" in texts
    assert "2 units" in texts
    assert "so that at least k are left out" in texts
    assert re.search(
        r"published in \d+ classes of 3( to \d+)? units; \d+ records are not published\.", to_html(done.report)
    )


def test_large_units_are_left_out_where_that_is_asked() -> None:
    done = released(households(60, 4), max_rows=3)
    assert max(map(len, units_of(done))) == 3
    assert any("with more than 3 rows (max_rows) were not published" in str(note) for note in done.report.notes)


def test_roles_align_members_and_may_be_merged() -> None:
    table = households(120, 3)
    done = released(table, member_role="role")
    assert set(done.arrow["role"].to_pylist()) == {"head", "partner", "child"}
    assert min(oracle.appearances(units_of(done, "role")).values()) >= 3
    assert done.certificate.public["counted_over"] == [*QUASI, "role"]
    other = np.roll(done.arrow["role"].to_pylist(), 1)
    with pytest.raises(RefusedError, match="units? in classes below"):
        done.recount(done.arrow.set_column(done.arrow.column_names.index("role"), "role", pa.array(other)))
    merged = released(table, member_role="role", merge_roles={"partner": "adult", "head": "adult"})
    assert set(merged.arrow["role"].to_pylist()) == {"adult", "child"}
    with pytest.raises(OptionError, match="merge_roles names 'uncle', which no row has"):
        released(table, member_role="role", merge_roles={"uncle": "other"})


def panel(number: int = 40, waves: int = 4, seed: int = 0) -> pa.Table:
    rng = np.random.default_rng(seed)
    unit, wave = np.repeat(np.arange(number), waves), np.tile(np.arange(waves), number)
    income = np.round(np.exp(rng.normal(8, 1, number))[unit] * (1 + 0.1 * wave), 0)
    table = pa.table({"home": unit, "wave": wave, "income": income, "age": 20 + unit + wave, "sex": ["f"] * len(unit)})
    return table.take(pa.array(rng.permutation(len(unit))))


def test_a_panel_is_grouped_as_series() -> None:
    done = released(panel(), time="wave")
    assert min(oracle.appearances(units_of(done, "wave")).values()) >= 3
    rows = done.arrow.to_pylist()
    assert [row["wave"] for row in rows] == [0, 1, 2, 3] * 40
    twice = panel().set_column(1, "wave", pa.array([0] * 160))
    with pytest.raises(InputError, match="stands 40 times in several rows of a unit"):
        released(twice, time="wave")
    gaps = panel().slice(0, 150)
    with pytest.raises(InfeasibleError, match="compositions"):
        released(gaps, time="wave")
    assert released(gaps, time="wave", small_units="suppress").certificate.k >= 3


def test_strata_and_missing_values_are_part_of_a_composition() -> None:
    table = households(200, 2)
    ages = [None if at % 9 == 0 else age for at, age in enumerate(table["age"].to_pylist())]
    table = table.set_column(table.column_names.index("age"), "age", pa.array(ages, pa.int64()))
    table = table.append_column(
        "area", pa.array([("north", "south")[len(home) % 2] for home in table["home"].to_pylist()])
    )
    done = released(table, strata=["area"], missing="own-group", small_units="suppress")
    units = units_of(done, "area")
    assert min(oracle.appearances(units).values()) >= 3
    assert sum(age is None for unit in units for _, age, _, _ in unit) > 10


def test_a_household_weight_is_published_once() -> None:
    table = households(80, 3)
    weight = [100.0 + len(home) * int(home[1:]) for home in table["home"].to_pylist()]
    done = released(table.append_column("w", pa.array(weight)), weight="w")
    units = units_of(done, "w")
    assert all(len({row[-1] for row in unit}) == 1 for unit in units)
    assert min(oracle.appearances(units).values()) >= 3


def test_what_tells_units_apart_links_them() -> None:
    table = households(60, 4, low=2)
    choices: dict[str, Any] = {"random_ids": [], "quasi": ["age", "sex"]}
    assert released(table, **choices).certificate.k >= 3
    with pytest.raises(
        RefusedError, match=r"with one value in all rows of a unit \(income\) link the rows of \d+ of 60 units"
    ):
        released(table, keep=["income"], accept=["income"], **choices)
    with pytest.raises(RefusedError, match="link the rows"):
        released(table, keep=["income"], accept=["income"], linked=False, **choices)
    assert released(table, keep=["income"], accept=["income"], refuse_links=1.0, **choices).certificate.k >= 3
    done = released(table, keep=["income"], accept=["income"], linked=True, **choices)
    assert done.arrow.column_names == ["income", "age", "sex"]
    assert done.units is not None
    rows = zip(done.units.number.tolist(), done.arrow["age"].to_pylist(), done.arrow["sex"].to_pylist(), strict=True)
    units = oracle.tuples_of_units(
        [{"home": u, "age": age, "sex": sex} for u, age, sex in rows], "home", ["age", "sex"]
    )
    assert min(oracle.appearances(units).values()) >= 3


@pytest.mark.parametrize("name", ["out.csv", "out.parquet", "out.xlsx"])
def test_the_file_is_recounted_by_whole_units(tmp_path: Path, name: str) -> None:
    done = released(households())
    done.write(tmp_path / name, certificate=tmp_path / "c.json", ledger=False)
    assert covey.check_certificate(tmp_path / name, tmp_path / "c.json").passed
    torn = done.arrow.set_column(2, "age", pa.array(sorted(done.arrow["age"].to_pylist())))
    with pytest.raises(RefusedError):
        done.recount(torn)


@pytest.mark.parametrize(
    ("choices", "error", "message"),
    [
        ({"linked": False}, OptionError, "linked is false, and the ids of the unit 'home' are published"),
        (
            {"random_ids": [], "member_role": "role"},
            OptionError,
            "member_role is given, and has no effect without linked units",
        ),
        ({"random_ids": [], "max_rows": 3}, OptionError, "max_rows is given, and has no effect without linked units"),
        ({"merge_roles": {"a": "b"}}, OptionError, "merge_roles is given, and has no effect without a member_role"),
        ({"refuse_links": 0.5}, OptionError, "refuse_links is given, and has no effect"),
        ({"unit": None, "random_ids": [], "linked": True}, OptionError, "linked is given, and no unit is"),
        ({"unit_columns": ["ill"]}, OptionError, "unit_columns names 'ill', which is not a quasi-identifier"),
        ({"k": 100}, InfeasibleError, "the table has 60 units, and k is 100"),
        ({"shuffle": False}, OptionError, "the place of a row in its unit"),
    ],
)
def test_choices_that_make_no_sense_are_errors(choices: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        released(households(), **choices)


def test_a_release_replays_from_its_recipe() -> None:
    done = released(
        households(120, 3), member_role="role", max_rows=5, small_units="suppress", merge_roles={"partner": "adult"}
    )
    again = covey.Recipe.from_toml(done.recipe.to_toml())
    assert covey.release(households(120, 3), recipe=again, ledger=False).arrow.equals(done.arrow)


REQUIRED: list[dict[str, Any]] = [
    {"l_diversity": 2},
    {"l_diversity": 1.9, "diversity": "entropy"},
    {"alpha": 0.9},
    {"t_closeness": 0.6},
]


def shares(rows: list[dict[str, Any]], homes: int) -> dict[str, float]:
    """The share of units that have each value of the illness among these rows."""
    pairs = Counter(ill for _, ill in {(row["home"], row["ill"]) for row in rows})
    return {ill: number / homes for ill, number in pairs.items()}


def seen_together(done: covey.Release) -> list[tuple[list[dict[str, Any]], int]]:
    """All rows of units of one appearance, and those of them that look the same; with the number of units."""
    rows = done.arrow.to_pylist()
    known = {
        home: tuple(sorted(repr([row[name] for name in QUASI]) for row in rows if row["home"] == home))
        for home in {row["home"] for row in rows}
    }
    everyone: dict[Any, list[dict[str, Any]]] = {}
    for row in rows:
        everyone.setdefault(known[row["home"]], []).append(row)
        everyone.setdefault((known[row["home"]], repr([row[name] for name in QUASI])), []).append(row)
    return [(some, len({row["home"] for row in some})) for some in everyone.values()]


@pytest.mark.parametrize("required", REQUIRED, ids=str)
@pytest.mark.parametrize("method", ["auto", "mdav"])
def test_requirements_hold_over_units_and_in_every_slot(required: dict[str, Any], method: str) -> None:
    done = released(households(240, 3), sensitive=["ill"], method=method, **required)
    assert done.arrow.num_rows == households(240, 3).num_rows
    assert len(done.report.requirements) == 1
    together = seen_together(done)
    if "l_diversity" in required and "diversity" not in required:
        assert min(len(shares(*some)) for some in together) >= 2
        assert max(max(shares(*some).values()) for some in together) < 1.0  # nobody has what all have
    if "alpha" in required:
        assert max(max(shares(*some).values()) for some in together) <= 0.9
    assert done.report.groups[0].loss_percent_without is not None


def test_what_all_children_have_is_not_released() -> None:
    """Over all rows no illness is everybody's; among the children of a class it would be."""
    homes = np.repeat(np.arange(40), 2)
    ill = [one for home in range(40) for one in (("flu", "none", "cold")[home % 3], "measles" if home < 20 else "none")]
    income = np.repeat(np.where(np.arange(40) < 20, 1000, 1100) + np.arange(40) % 20, 2)
    table = pa.table({"home": homes, "income": income, "age": [40, 8] * 40, "sex": ["f"] * 80, "ill": ill})
    plain = released(table, sensitive=["ill"], accept=["ill"])
    assert max(max(shares(*some).values()) for some in seen_together(plain)) == 1.0
    done = released(table, sensitive=["ill"], accept=["ill"], l_diversity=2)
    assert max(max(shares(*some).values()) for some in seen_together(done)) < 1.0
    with pytest.raises(InfeasibleError, match="do not hold what is required|every slot|cannot hold|whose|compositions"):
        released(
            table.set_column(4, "ill", pa.array(["flu", "measles"] * 40)),
            sensitive=["ill"],
            accept=["ill"],
            l_diversity=2,
        )


def test_requirements_are_recounted_on_whole_units(tmp_path: Path) -> None:
    done = released(households(240, 3), sensitive=["ill"], l_diversity=2)
    done.write(tmp_path / "out.csv", certificate=tmp_path / "c.json", ledger=False)
    assert covey.check_certificate(tmp_path / "out.csv", tmp_path / "c.json").passed
    worse = done.arrow.set_column(done.arrow.column_names.index("ill"), "ill", pa.array(["flu"] * done.arrow.num_rows))
    with pytest.raises(RefusedError, match="the recount found classes without"):
        done.recount(worse)


def test_a_value_of_the_household_is_one_value_whatever_its_rows_weigh() -> None:
    table = panel().drop_columns("income")
    table = table.append_column("income", pa.array([1000 + 7 * home for home in table["home"].to_pylist()]))
    table = table.append_column("w", pa.array(np.random.default_rng(1).integers(1, 50, table.num_rows)))
    done = released(table, weight="w", time="wave")
    for unit in units_of(done):
        assert len({income for income, _, _ in unit}) == 1


def test_the_risk_is_that_of_whole_units() -> None:
    """Rows of a kind are many, units of a kind only k: who knows the unit is one in k."""
    done = released(households(90, 3), quasi=["sex"], measuring=covey.Measuring(), sensitive=["ill"])
    units = oracle.tuples_of_units(done.arrow.to_pylist(), "home", ["sex"])
    risk = {one.label: one.value for one in done.report.risk if one.column is None}
    k = min(oracle.appearances(units).values())
    assert risk["prosecutor risk"] == pytest.approx(1 / k)
    seen = oracle.appearances(units)
    rows = sum(len(unit) for unit in units)
    by_unit = {tuple(sorted(map(repr, unit))): len(unit) for unit in units}
    marketer = sum(by_unit[known] * number / number for known, number in seen.items()) / rows
    assert risk["marketer risk"] == pytest.approx(marketer)


def test_rows_of_other_units_never_count_together_in_small_classes() -> None:
    """A thousand rows look the same, and yet the only unit with two of them would be alone."""
    homes = [*map(str, range(50)), "x", "x", "y", "y"]
    table = pa.table({"home": homes, "income": [1] * 54, "age": [30] * 54, "sex": ["f"] * 54})
    with pytest.raises(InfeasibleError, match=r"2 units \(4 records\)"):
        released(table)
    done = released(table, small_units="suppress")
    assert done.arrow.num_rows == 50 - 1


def test_a_unit_with_a_row_in_a_small_stratum_is_left_out_whole() -> None:
    """What is left of it would pass for a unit of one row, of which there are many."""
    table = households(120, 2)
    homes = table["home"].to_pylist()
    pairs = sorted(home for home in set(homes) if homes.count(home) == 2)[:2]
    area = ["isle" if homes.index(home) == at and home in pairs else "land" for at, home in enumerate(homes)]
    wave = [homes[:at].count(home) for at, home in enumerate(homes)]
    table = table.append_column("area", pa.array(area)).append_column("wave", pa.array(wave))
    strata: dict[str, Any] = {"strata": ["area"], "small_strata": "suppress", "small_units": "suppress"}
    done = released(table, time="wave", **strata)
    units = units_of(done, "area")
    assert {row[-1] for unit in units for row in unit} == {"land"}
    assert sum(len(unit) == 1 for unit in units) <= sum(homes.count(home) == 1 for home in homes)
    assert 120 - len(units) == 3
