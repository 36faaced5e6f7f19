"""Two tables that a key links: what others see of them together, against independent counts; and every refusal."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest

import covey
from covey.errors import CoveyError, InfeasibleError, InputError, OptionError, RefusedError
from covey.recount.tables import Keyed, left_join, recount_tables, verify_tables
from tests.units import oracle

if TYPE_CHECKING:
    from pathlib import Path

QUASI = ["age", "sex", "ward", "days"]


def tables(number: int = 40, most: int = 2, seed: int = 0) -> tuple[pa.Table, pa.Table]:
    """Persons, and none to some visits of each."""
    rng = np.random.default_rng(seed)
    person = [f"p{one}" for one in range(number)]
    of = rng.permutation(np.repeat(np.arange(number), rng.integers(0, most + 1, number)))
    persons = pa.table(
        {
            "person": person,
            "age": rng.integers(18, 90, number),
            "sex": rng.choice(["f", "m"], number),
            "job": rng.choice(["a", "b"], number),
        }
    )
    visits = pa.table(
        {
            "person": pa.array([person[one] for one in of], pa.string()),
            "ward": pa.array(rng.choice(["x", "y"], len(of)), pa.string()),
            "days": rng.integers(1, 30, len(of)),
        }
    )
    return persons.take(pa.array(rng.permutation(number))), visits


def released(both: tuple[pa.Table, pa.Table], k: int = 3, **choices: Any) -> covey.TablesRelease:
    asked: dict[str, Any] = {"quasi": QUASI, "keep": ["job"], "accept": ["job"], "ledger": False}
    return covey.release_tables(*both, k, key="person", **(asked | choices))


def seen_in(first: pa.Table, second: pa.Table) -> list[list[tuple[Any, ...]]]:
    """Of every person: the row, and those of the visits."""
    units = {row["person"]: [("person", row["age"], row["sex"])] for row in first.to_pylist()}
    for row in second.to_pylist():
        units[row["person"]].append(("visit", row["ward"], row["days"]))
    return list(units.values())


def test_k_persons_look_the_same_in_both_tables() -> None:
    both = tables(80)
    done = released(both)
    units = seen_in(done.first, done.second)
    assert min(oracle.appearances(units).values()) == done.certificate.k >= 3
    assert (len(done.first), len(done.second)) == (80, len(both[1]))
    assert done.first.column_names == ["person", "age", "sex", "job"]
    assert done.second.column_names == ["person", "ward", "days"]
    assert done.first.schema.types[1:] == both[0].schema.types[1:]
    assert done.certificate.public["counted_over"] == QUASI
    assert done.certificate.public["tables"] == [80, len(both[1])]


@pytest.mark.parametrize("seed", range(25))
def test_no_attacker_has_fewer_than_k_candidates(seed: int) -> None:
    """Up to 9 persons: who knows one, some visits or all, and how many there are or not, is left with k persons at least."""
    rng = random.Random(seed)
    k = rng.choice([2, 3])
    both = tables(rng.randint(k, 9), rng.choice([1, 2]), seed)
    try:
        done = released(both, k, small_units="suppress")
    except InfeasibleError:
        return
    units = seen_in(done.first, done.second)
    assert oracle.fewest_candidates(units) >= k
    assert len(both[0]) == len(units) or len(both[0]) - len(units) >= k


def test_ids_agree_and_are_fresh_in_each_release() -> None:
    first, second = released(tables()), released(tables())
    for done in (first, second):
        ids, others = set(done.first["person"].to_pylist()), set(done.second["person"].to_pylist())
        assert others < ids
        assert len(ids) == 40
        assert not any(one.startswith("p") for one in ids)
    assert not set(first.first["person"].to_pylist()) & set(second.first["person"].to_pylist())
    again = covey.release_tables(*tables(), key="person", recipe=first.recipe, ledger=False)
    assert again.first.equals(first.first)
    assert again.second.equals(first.second)


def test_a_visit_of_which_nothing_is_known_is_a_visit() -> None:
    """Three persons without a visit, and three with one of missing values: six would look the same if that were not told apart."""
    persons = pa.table({"person": range(6), "age": [20, 60, 20, 60, 20, 60]})
    visits = pa.table({"person": [0, 3, 4], "days": pa.array([None, None, None], pa.int64())})
    done = covey.release_tables(
        persons, visits, 3, key="person", quasi=["age", "days"], missing="own-group", ledger=False
    )
    ages = dict(zip(done.first["person"].to_pylist(), done.first["age"].to_pylist(), strict=True))
    assert len({ages[one] for one in done.second["person"].to_pylist()}) == 1
    with pytest.raises(InputError, match=r"missing values: days \(3\)"):
        covey.release_tables(persons, visits, 3, key="person", quasi=["age", "days"], ledger=False)


def test_roles_and_times_of_visits() -> None:
    persons, visits = tables(60, 2)
    wave = [visits["person"].to_pylist()[:at].count(one) for at, one in enumerate(visits["person"].to_pylist())]
    timed = released((persons, visits.append_column("wave", pa.array(wave))), time="wave")
    assert set(timed.second["wave"].to_pylist()) == {0, 1}
    kind = ["first" if at == 0 else "later" for at in wave]
    roled = released((persons, visits.append_column("kind", pa.array(kind))), member_role="kind")
    assert set(roled.second["kind"].to_pylist()) == {"first", "later"}
    assert "kind" not in roled.first.column_names
    assert roled.certificate.public["counted_over"] == [*QUASI, "kind"]
    assert roled.recipe.roles.member_role == "kind"


def with_row(table: pa.Table, **changes: Any) -> pa.Table:
    row = table.slice(0, 1).to_pylist()[0] | changes
    return pa.concat_tables([table, pa.Table.from_pylist([row], table.schema)])


PERSONS, VISITS = tables()


@pytest.mark.parametrize(
    ("both", "choices", "message"),
    [
        (
            (PERSONS, with_row(with_row(VISITS, person="q1"), person="q2")),
            {},
            "2 rows of the second table have a 'person' that the first",
        ),
        ((with_row(PERSONS), VISITS), {}, "as an earlier row in 1 row of the first table"),
        ((PERSONS, with_row(VISITS, person=None)), {}, "is missing in 1 record;"),
        ((PERSONS, VISITS.rename_columns(["person", "age", "days"])), {}, "both tables have columns named 'age'"),
        ((PERSONS, VISITS.rename_columns(["who", "ward", "days"])), {}, "'person'"),
        ((PERSONS, VISITS), {"unit": "sex"}, "unit is 'sex'"),
        ((PERSONS, VISITS), {"linked": False}, "linked is false"),
        ((PERSONS, VISITS), {"shuffle": False}, "whose rows are written key by key"),
        ((PERSONS, VISITS), {"derive": {"number": "count"}}, "derive is given, and linked tables"),
        ((PERSONS, VISITS), {"missing": "coordinate"}, "missing is coordinate"),
        ((PERSONS, VISITS), {"weight": "days", "quasi": QUASI[:3]}, "the weight 'days' is of the second table"),
        ((PERSONS, VISITS), {"member_role": "days", "quasi": QUASI[:3]}, "the member role 'days' is of type int64"),
        ((PERSONS, VISITS), {"k": 30}, "compositions"),
    ],
)
def test_what_cannot_be_released_is_an_error(
    both: tuple[pa.Table, pa.Table], choices: dict[str, Any], message: str
) -> None:
    with pytest.raises(CoveyError, match=message):
        released(both, **choices)


def test_requirements_hold_over_persons() -> None:
    persons, visits = tables(90, 1)
    done = released((persons, visits), keep=[], sensitive=["job"], l_diversity=2)
    units = seen_in(done.first, done.second)
    jobs: dict[str, set[str]] = {}
    for row, unit in zip(done.first.to_pylist(), units, strict=True):
        jobs.setdefault(repr(sorted(map(repr, unit))), set()).add(row["job"])
    assert min(map(len, jobs.values())) >= 2
    same = done.first.set_column(done.first.column_names.index("job"), "job", pa.array(["a"] * 90))
    with pytest.raises(RefusedError, match="the recount found classes without"):
        done.recount(same, done.second)


def test_the_recount_counts_by_the_definition() -> None:
    for seed in range(60):
        rng = np.random.default_rng(seed)
        first = pa.table({"k": range(5), "a": rng.integers(0, 2, 5)})
        second = pa.table({"k": rng.integers(0, 5, 6), "b": rng.integers(0, 2, 6)})
        units = {row["k"]: [("a", row["a"])] for row in first.to_pylist()}
        for row in second.to_pylist():
            units[row["k"]].append(("b", row["b"]))
        keyed = Keyed.of(first, second, "k")
        least = min(oracle.appearances(list(units.values())).values())
        assert recount_tables(keyed, ["a", "b"]).k == least
        joined, of, own = left_join(keyed)
        assert len(joined) == len(of) == sum(max(1, len(unit) - 1) for unit in units.values())
        assert sum(own.to_pylist()) == 6
        with pytest.raises(RefusedError, match="units? in classes below"):
            verify_tables(keyed, ["a", "b"], least + 1, (5, 6), [], {})
    with pytest.raises(RefusedError, match=r"stand in the second alone \(1 of its rows\)"):
        verify_tables(Keyed.of(first, with_row(second, k=9), "k"), ["a"], 1, (5, 7), [], {})
    with pytest.raises(RefusedError, match="5 and 6 rows, and 5 and 7 were"):
        verify_tables(keyed, ["a"], 1, (5, 7), [], {})


def test_both_files_appear_or_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = released(tables())
    one, two, claims = tmp_path / "persons.csv", tmp_path / "visits.parquet", tmp_path / "c.json"
    two.touch()
    with pytest.raises(CoveyError, match="exists"):
        done.write(one, two, ledger=False)
    assert not one.exists()
    two.unlink()
    with monkeypatch.context() as patch:
        patch.setattr("covey.tables.writing.read_back", lambda *_a, **_k: (done.second_arrow, None))
        with pytest.raises(RefusedError, match="nothing was written"):
            done.write(one, two, ledger=False)
    assert not list(tmp_path.iterdir())
    with pytest.raises(OptionError, match="two files"):
        done.write(one, f"{two}/", ledger=False)
    done.write(one, two, certificate=claims, ledger=False)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["c.json", "persons.csv", "visits.parquet"]
    checked = covey.check_certificate(one, claims, second=two)
    assert checked.passed
    with pytest.raises(InputError, match="one table is given"):
        covey.check_certificate(one, claims)
    pa.csv.write_csv(pa.csv.read_csv(one).take(pa.array([*range(1, 40), 1])), one)
    assert not covey.check_certificate(one, claims, second=two).passed


@pytest.mark.parametrize("swapped", ["age", "days"])
def test_values_of_other_persons_are_refused(swapped: str) -> None:
    done = released(tables(60))
    both = {True: done.first, False: done.second}
    table = both[swapped == "age"]
    place = table.column_names.index(swapped)
    both[swapped == "age"] = table.set_column(place, swapped, pa.array(np.sort(table[swapped].to_numpy())))
    with pytest.raises(RefusedError, match="units? in classes below"):
        done.recount(both[True], both[False])
