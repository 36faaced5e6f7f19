"""Roles: every column has one, and a mistake is an error that names the columns."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import covey
from covey.errors import InputError, OptionError
from covey.recipe.recipe import Recipe
from covey.recipe.roles import Roles


def people(n: int = 60) -> pa.Table:
    rng = np.random.default_rng(0)
    age = rng.integers(18, 90, n)
    return pa.table(
        {
            "name": [f"person {i}" for i in range(n)],
            "age": age,
            "income": rng.normal(3000, 800, n).round(),
            "birth_year": 2026 - age - rng.integers(0, 2, n),
            "ward": rng.choice(["east", "west", "north"], n),
            "illness": rng.choice(["flu", "cold", "measles"], n),
        }
    )


def release(table: Any = None, **choices: Any) -> covey.Release:
    given: dict[str, Any] = {
        "k": 3,
        "quasi": ["age", "income"],
        "sensitive": ["illness"],
        "drop": ["name"],
        "drop_rest": True,
    }
    return covey.release(people() if table is None else table, **(given | choices))


def test_columns_without_a_role_are_listed() -> None:
    with pytest.raises(OptionError, match=r"without a role: birth_year, ward;.*covey recipe.*--drop-rest"):
        release(drop_rest=False)


def test_each_role_does_what_it_says() -> None:
    done = release(keep=["ward"], random_ids=["name"], drop=[])
    assert done.arrow.column_names == ["name", "age", "income", "ward", "illness"]
    ids = done.arrow.column("name").to_pylist()
    assert len(set(ids)) == 60
    assert not any("person" in text for text in ids)
    assert sorted(done.arrow.column("ward").to_pylist()) == sorted(people().column("ward").to_pylist())
    assert sorted(done.arrow.column("illness").to_pylist()) == sorted(people().column("illness").to_pylist())
    assert done.certificate.k >= 3


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"quasi": ["agee"]}, "'agee', and there is none of that name; did you mean 'age'"),
        ({"quasi": ["AGE"]}, "did you mean 'age'"),
        ({"keep": ["age"]}, "'age' has two roles, quasi and keep"),
        ({"quasi": ["age", "age"]}, "quasi names 'age' more than once"),
        ({"quasi": []}, "no quasi-identifier is given"),
        ({"quasi": 7}, "quasi is 7; needed: the name of a column"),
        ({"unit": ["name"]}, "unit is a list; needed: the name of one column"),
        ({"accept": ["age"]}, "accept names 'age', which is not kept or sensitive"),
        ({"zeros_apart": ["ward"]}, "zeros_apart names 'ward', which is not a quasi-identifier"),
        ({"nominal": ["xyz"]}, "nominal names the column 'xyz'"),
        ({"round_weights": 5}, "round_weights is given, and has no effect"),
        ({"allow_blocks": True}, "allow_blocks is given, and has no effect"),
        ({"weights": "drop"}, "weights is given, and has no effect"),
        ({"trim": 0.2}, "trim is given, and has no effect"),
        ({"penalty": 5}, "penalty is given, and has no effect"),
        ({"seed": 1}, "a seed is given, and the method 'auto' has no randomness"),
        ({"nonsense": 1}, "there is no choice 'nonsense'"),
        ({"method": "each-column"}, "for columns by themselves: blocks"),
        ({"method": "mdavv"}, "there is no method 'mdavv'"),
        ({"options": {"cost": "sae"}}, "the cost that goes with the aggregate"),
        ({"k": 1}, "k is 1; needed: at least 2"),
        ({"k": 0}, "k is 0"),
        ({"k": "3"}, "k is '3'"),
        ({"k": 61}, "the table has 60 records, and k is 61"),
        ({"missing": "ignore"}, "missing is 'ignore'; needed: one of error, own-group, coordinate"),
        ({"entropy": "00"}, "entropy is not 64 hexadecimal digits"),
        ({"importance": {"age": -1}}, "the importance of 'age' is -1"),
        ({"blocks": [["age"]]}, "blocks do not hold every quasi-identifier once"),
        ({"dominance": 3}, "dominance is 3"),
        ({"nominal": ["age"], "ordinal": {"age": ["1"]}}, "of two kinds"),
    ],
)
def test_mistakes(choices: dict[str, Any], message: str) -> None:
    with pytest.raises(covey.CoveyError, match=message):
        release(**choices)


def test_k_2_is_warned_about() -> None:
    with pytest.warns(UserWarning, match="k is 2"):
        done = release(k=2)
    assert any("k is 2" in str(note) for note in done.report.notes)


def test_a_nearly_unique_column_must_be_accepted_by_name() -> None:
    with pytest.raises(InputError, match=r"name \(is nearly unique: 100%.*--accept name"):
        release(keep=["name"], drop=[])
    done = release(keep=["name"], drop=[], accept=["name"])
    assert any("'name' is published as it is although it is nearly unique" in str(note) for note in done.report.notes)


def test_a_column_that_determines_a_quasi_identifier_must_be_accepted_by_name() -> None:
    with pytest.raises(InputError, match=r"birth_year \(.*determines the quasi-identifier age"):
        release(keep=["birth_year"])
    assert "birth_year" in release(keep=["birth_year"], accept=["birth_year"]).arrow.column_names
    table = people().append_column(
        "ward code", pa.array([{"east": 1, "west": 2, "north": 3}[w] for w in people()["ward"].to_pylist()])
    )
    with pytest.raises(InputError, match=r"ward code \(determines the quasi-identifier ward"):
        release(table, quasi=["age", "ward"], sensitive=[], keep=["ward code"])
    assert release(keep=["ward"]).certificate.k >= 3  # an ordinary column needs nothing


def test_random_ids_may_not_link_rows() -> None:
    table = people().set_column(0, "name", pa.array([f"person {i // 2}" for i in range(60)]))
    with pytest.raises(InputError, match="'name' repeats, and random ids would link those rows"):
        release(table, drop=[], random_ids=["name"])
    assert release(table, drop=[], random_ids=["name"], unit="name", method="mdav").certificate.k >= 3  # whole units


def test_the_unit_is_what_k_counts() -> None:
    rng = np.random.default_rng(1)
    table = pa.table(
        {
            "firm": np.repeat(np.arange(30), 4),
            "size": np.repeat(rng.normal(size=30), 4),
            "year": np.tile(np.arange(4), 30),
        }
    )
    rows = covey.release(table, k=4, quasi=["size", "year"], drop=["firm"], shuffle=False)
    units = covey.release(table, k=4, quasi=["size", "year"], unit="firm", shuffle=False)

    def least(done: covey.Release) -> int:
        firms: dict[tuple[Any, ...], set[int]] = {}
        for firm, *seen in zip(
            table["firm"].to_pylist(), *(done.arrow[c].to_pylist() for c in ("size", "year")), strict=True
        ):
            firms.setdefault(tuple(seen), set()).add(firm)
        return min(map(len, firms.values()))

    assert least(rows) < 4 <= least(units)
    assert "firm" not in units.arrow.column_names
    assert units.certificate.public["counted_in"] == "units"
    with pytest.raises(covey.CoveyError, match="the table has 30 units, and k is 31"):
        covey.release(table, k=31, quasi=["size", "year"], unit="firm")
    with pytest.raises(InputError, match="the unit 'firm' is missing in 1 record;"):
        covey.release(pa.table({"firm": [1, None, 2], "size": [1, 2, 3]}), k=2, quasi=["size"], unit="firm")


def test_roles_are_values() -> None:
    assert Roles(quasi=("a",)) == Roles(quasi=["a"])  # type: ignore[arg-type]
    assert Roles(quasi="a").quasi == ("a",)  # type: ignore[arg-type]
    assert Roles(quasi=("a",), unit="u", random_ids=("u",)).of("u") == "random_ids"


def test_a_recipe_survives_toml_and_replays() -> None:
    recipe = Recipe.from_dict(
        {
            "k": 4,
            "quasi": ["age", "income"],
            "keep": ["ward"],
            "drop": ["name", "birth_year", "illness"],
            "importance": {"age": 2.0},
            "top": {"income": "95%"},
            "aggregates": {"income": "median"},
            "edits": ["income >= 0"],
            "dominance": [2, 90.0],
            "method": "random-projection",
            "seed": 3,
            "options": {"projections": 3},
        }
    )
    assert Recipe.from_toml(recipe.to_toml()) == recipe
    first = covey.release(people(), recipe=recipe)
    again = covey.release(people(), recipe=Recipe.from_toml(first.recipe.to_toml()))
    assert again.arrow.equals(first.arrow)
    other = covey.release(people(), recipe=recipe)
    assert not other.arrow.equals(first.arrow)  # another secret, another order
    assert covey.release(people(), recipe=recipe, k=7).certificate.k >= 7


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("k = ", "the recipe is not TOML"),
        ("method = 'auto'", "k is not given"),
        ("k = 3\nnonsense = 1", "there is no choice 'nonsense' in a recipe"),
        ("k = 3\n[roles]\nhobby = ['a']", "there is no role 'hobby'"),
        ("k = 3\nroles = 5", "roles is 5; needed: a mapping"),
        ("k = 3\nedits = ['a ~ b']", "the edit rule 'a ~ b' is not understood"),
    ],
)
def test_bad_recipes(text: str, message: str) -> None:
    with pytest.raises(covey.CoveyError, match=message):
        Recipe.from_toml(text)
