"""Measures of linked tables take a column by the rows of its own table: persons for the first, visits for the second; against own counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pytest

import covey
from covey.core.measure import Measure
from covey.errors import InputError, OptionError
from tests.tables.test_release import released

if TYPE_CHECKING:
    from pathlib import Path

NUMBER, OFTEN, RARE = 120, 6, 13
CHOICES: dict[str, Any] = {
    "quasi": ["age", "days"],
    "strata": ["region"],
    "keep": ["tag", "job", "number", "ward"],
    "accept": ["tag", "job", "number", "ward"],
}


def tables() -> tuple[pa.Table, pa.Table]:
    """Old persons have six visits, others one or none; nobody of a rare job has any but three, of 13."""
    rng = np.random.default_rng(2)
    age = np.sort(rng.integers(20, 80, NUMBER))
    visits = np.where(age < 40, 0, np.where(age < 60, 1, OFTEN))
    job = np.where(np.arange(NUMBER) < RARE, "rare", rng.choice(["clerk", "smith"], NUMBER))
    visits[10:RARE] = 1
    of = np.repeat(np.arange(NUMBER), visits)
    persons = pa.table(
        {
            "person": range(NUMBER),
            "age": age,
            "region": rng.choice(["n", "s"], NUMBER).tolist(),
            "job": job.tolist(),
            "tag": range(NUMBER),
        }
    )
    ward = rng.choice(["x", "y"], len(of)).tolist()
    days = rng.integers(1, 90, len(of)) + np.where(visits[of] == OFTEN, 60, 0)
    return persons, pa.table({"person": of, "days": days, "ward": ward, "number": range(len(of))})


@pytest.fixture(scope="module")
def both() -> tuple[pa.Table, pa.Table]:
    return tables()


@pytest.fixture(scope="module")
def done(both: tuple[pa.Table, pa.Table]) -> covey.TablesRelease:
    wanted = covey.Measuring(domains=("job", "ward"))
    return released(both, **CHOICES, small_units="suppress", measuring=wanted)


Rows = list[dict[str, Any]]


def pairs(both: tuple[pa.Table, pa.Table], done: covey.TablesRelease, name: str) -> Rows:
    """Each published row of the table that has a column: its value before and after, and what is known of its person."""
    persons = {row["person"]: row for row in both[0].to_pylist()}
    first = name in both[0].column_names
    tag = "tag" if first else "number"
    after = {row[tag]: row[name] for row in (done.first if first else done.second).to_pylist()}
    return [
        {**persons[row["person"]], **row, "before": row[name], "after": after[row[tag]]}
        for row in both[not first].to_pylist()
        if row[tag] in after
    ]


def columns(rows: Rows) -> tuple[np.ndarray, np.ndarray]:
    before, after = (np.array([row[when] for row in rows], dtype=float) for when in ("before", "after"))
    return before, after


@pytest.mark.parametrize("name", ["age", "days"])
def test_rank_intervals_are_of_the_rows_of_the_own_table(both: Any, done: covey.TablesRelease, name: str) -> None:
    before, after = columns(pairs(both, done, name))
    values = sorted({*before.tolist()})
    middle = [(np.mean(before < value) + np.mean(before <= value)) / 2 for value in values]
    near = np.abs(np.interp(before, values, middle) - np.interp(after, values, middle)) <= 0.05 + 1e-12
    (found,) = [one for one in done.report.risk if (one.name, one.column) == (Measure.RANK_INTERVALS, name)]
    assert found.value == pytest.approx(near.mean())
    assert found.original == 1.0


@pytest.mark.parametrize("name", ["age", "days"])
def test_strata_are_measured_by_the_rows_of_the_own_table(both: Any, done: covey.TablesRelease, name: str) -> None:
    moved, changed = {}, {}
    for region in "ns":
        before, after = columns([row for row in pairs(both, done, name) if row["region"] == region])
        moved[region] = abs(after.mean() - before.mean()) / before.std(ddof=1)
        changed[region] = 100 * abs(after.sum() - before.sum()) / before.sum()
    by_stratum = [one for one in done.report.strata if one.column == name]
    for measure, own in ((Measure.MEAN_MOVED_BY_STRATUM, moved), (Measure.TOTAL_CHANGED_BY_STRATUM, changed)):
        assert sorted(one.changes[measure] for one in by_stratum) == pytest.approx(sorted(own.values()), abs=1e-9)


def test_a_stratum_without_visits_has_no_measures_of_them() -> None:
    persons, visits = tables()
    region = ["a" if number == 0 else "n" for number in np.bincount(visits["person"], minlength=NUMBER).tolist()]
    persons = persons.set_column(persons.column_names.index("region"), "region", pa.array(region))
    found = released((persons, visits), **CHOICES, measuring=covey.Measuring()).report.strata
    assert {(one.column, str(one.stratum)[-1]) for one in found if one.column} == {
        ("age", "a"),
        ("age", "n"),
        ("days", "n"),
    }


@pytest.mark.parametrize(("domain", "name"), [("job", "age"), ("job", "days"), ("ward", "days")])
def test_domains_have_figures_of_the_rows_of_the_own_table(
    both: Any, done: covey.TablesRelease, domain: str, name: str
) -> None:
    shown = {one.value: one for one in done.report.domains if (one.domain, one.figure) == (domain, f"mean of {name}")}
    of = {*both[domain == "ward"][domain].to_pylist()}
    assert {*shown} == (of - {"rare"} if name == "days" else of)  # three of 13 have visits: too few to be shown
    for value, figure in shown.items():
        before, after = columns([row for row in pairs(both, done, name) if row[domain] == value])
        assert (figure.before, figure.after) == pytest.approx((before.mean(), after.mean()))


def test_what_has_no_right_definition_is_left_out_and_said(both: Any, done: covey.TablesRelease) -> None:
    """A person with visits in two wards belongs to neither; a visit is no double of a person; and no file has the joined rows."""
    assert not [one for one in done.report.domains if one.domain == "ward" and one.figure.endswith(" age")]
    assert not [one for one in done.report.risk if one.name is Measure.SPECIAL_UNIQUES]
    said = [note.text for note in done.report.notes if "special uniques" in note.text]
    assert len(said) == 1
    assert not [note for note in done.report.public().notes if "special uniques" in note.text]
    with pytest.raises(OptionError, match="the risk of each record is asked for, and two tables that a key links"):
        released(both, **CHOICES, measuring=covey.Measuring(records=True))


def test_special_uniques_of_linked_tables_are_not_those_of_joined_rows() -> None:
    """Two columns of categories in each table: the joined rows would have some."""
    persons, visits = tables()
    choices = CHOICES | {"quasi": ["job", "region", "ward"], "strata": [], "keep": [], "accept": []}
    found = released(
        (persons, visits),
        **choices,
        drop=["age", "tag", "days", "number"],
        k=2,
        small_units="suppress",
        measuring=covey.Measuring(),
    )
    assert not {Measure.SPECIAL_UNIQUES, Measure.PART_IN_UNIQUES} & {one.name for one in found.report.risk}


@pytest.mark.parametrize("quasi", [["age", "days"], ["days"]])
def test_all_visits_may_be_left_out(quasi: list[str], tmp_path: Path) -> None:
    """One person in 30 has a visit, and is left out with others: nothing is left of the second table to be measured."""
    persons = pa.table({"person": range(30), "age": np.arange(30) + 20})
    visits = pa.table({"person": [3, 3], "days": [5, 6]})
    choices: dict[str, Any] = {"quasi": quasi, "keep": [], "accept": [], "drop": [] if "age" in quasi else ["age"]}
    done = released((persons, visits), **choices, small_units="suppress", measuring=covey.Measuring())
    assert (len(done.first), len(done.second)) == (27, 0)
    intervals = [one.column for one in done.report.risk if one.name is Measure.RANK_INTERVALS]
    assert intervals == quasi[:-1]
    paths = [tmp_path / name for name in ("p.csv", "v.csv", "c.json")]
    done.write(*paths[:2], certificate=paths[2], ledger=False)
    assert covey.check_certificate(paths[0], paths[2], second=paths[1]).passed
    with pytest.raises(InputError, match="the second table has no rows"):
        released((persons, visits.slice(0, 0)), **choices)
