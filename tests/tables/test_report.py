"""What is said of two linked tables: by the rows of each, with the columns that their files have, and by the rules that were asked for."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pytest

import covey
from covey.core.measure import Measure
from covey.errors import InputError
from covey.report.render import to_html, to_json, to_text
from covey.tables.join import NONE, ROW
from tests.tables.test_release import PERSONS, QUASI, VISITS, released, tables

if TYPE_CHECKING:
    from pathlib import Path

    from covey.report.collect import Report


def measured(report: Report, name: Measure, column: str | None = None) -> float:
    found = [one.value for one in (*report.risk, *report.utility) if (one.name, one.column) == (name, column)]
    assert len(found) == 1
    return found[0]


def test_nothing_that_is_said_names_a_column_that_no_file_has(tmp_path: Path) -> None:
    done = released(tables(80), measuring=covey.Measuring(originals=True), title="Ward", reasons={"age": "Known."})
    paths = [tmp_path / f"{name}.json" for name in ("certificate", "internal")]
    done.write(tmp_path / "p.csv", tmp_path / "v.csv", ledger=False, certificate=paths[0], internal=paths[1])
    said = [write(form) for form in (done.report, done.report.public()) for write in (to_html, to_json, to_text)]
    said += [path.read_text() for path in paths] + [repr(done)]
    for text in said:
        assert ROW not in text
        assert NONE not in text
        assert "own-group" not in text
    assert done.report.counted_over == QUASI
    assert done.report.promise == done.certificate.public["promise"]
    assert "member_role" not in done.report.roles
    assert {one.name: one.value for one in done.report.settings}["missing"].startswith("not allowed")
    assert not any("missing" in note.text for note in done.report.notes)
    assert [note.text[:29] for note in done.report.public().notes] == ["a measure of one column is ta"]


def test_the_records_of_each_file_are_counted() -> None:
    both = tables(80)
    visits = len(both[1])
    done = released(both)
    public = done.report.public()
    for text in (to_text(public), to_text(done.report)):
        assert f"80 records of the first table and {visits} of the second in " in text
        assert "not published" not in text
    assert f"80 records of the first table and {visits} of the second are published in" in to_html(public)
    assert "came in" not in to_html(public)
    assert f"80 records of the first table and {visits} of the second came in" in to_html(done.report)
    assert json.loads(to_json(public))["tables"] == [{"came_in": None, "published": number} for number in (80, visits)]
    assert (public.records_out, public.records_in, done.report.records_in) == (80, None, 80)
    assert done.certificate.internal["tables_in"] == [80, visits]
    assert (done.certificate.internal["records_in"], done.certificate.internal["records_suppressed"]) == (80, 0)


def test_those_that_are_left_out_are_counted_of_each_file() -> None:
    persons, visits = tables(60, 2)
    more = pa.table({"person": [PERSON] * 7, "ward": ["x"] * 7, "days": [3] * 7})
    visits = pa.concat_tables([visits.filter(pa.compute.not_equal(visits["person"], PERSON)), more])
    done = released((persons, visits), small_units="suppress")
    lost = [60 - len(done.first), len(visits) - len(done.second)]
    assert min(lost) >= 3  # none or at least k leave
    assert lost[1] >= 7
    assert f"{lost[0]} of 60 records and {lost[1]} of {len(visits)} records not published" in to_text(done.report)
    assert f"{lost[0]} records of the first table and {lost[1]} of the second are not published" in to_html(done.report)
    assert "not published" not in to_html(done.report.public()).split("Settings")[0]


PERSON = "p7"


def skewed() -> tuple[pa.Table, pa.Table]:
    """Old persons have five visits, young ones one or none: who has more rows of the second table is counted no more often."""
    rng = np.random.default_rng(5)
    age = np.sort(rng.permutation(np.arange(20, 80)))
    number = np.where(age < 40, 0, np.where(age < 60, 1, 5))
    of = np.repeat(np.arange(60), number)
    persons = pa.table({"person": range(60), "age": age, "sex": rng.choice(["f", "m"], 60)})
    return persons, pa.table({"person": of, "days": rng.integers(1, 90, len(of))})


@pytest.mark.parametrize("engine", ["internal", "public"])
def test_columns_are_measured_by_the_rows_of_their_own_table(engine: str) -> None:
    persons, visits = skewed()
    done = released((persons, visits), quasi=["age", "sex", "days"], keep=[], accept=[], measuring=covey.Measuring())
    report = done.report if engine == "internal" else done.report.public()
    rows = {one.column: one.rows for one in report.columns}
    assert rows == {"age": 60, "sex": 60, "days": len(visits)}
    assert sum(one.after for one in next(c for c in report.columns if c.column == "sex").categories) == 60
    assert not any("missing" in one.value for column in report.columns for one in column.categories)
    shares = {one.column: one for one in report.distributions}
    assert shares["sex"].after[0] == pytest.approx(
        max(done.first["sex"].to_pylist().count(sex) for sex in "fm") / 60, rel=1e-2
    )
    if engine == "public":
        return
    total = {one.column: (one.before, one.after) for one in report.totals}
    assert total["age"] == (sum(persons["age"].to_pylist()), sum(done.first["age"].to_pylist()))
    assert total["days"] == (sum(visits["days"].to_pylist()), sum(done.second["days"].to_pylist()))
    mean = next(one for one in report.columns if one.column == "age").before
    assert mean is not None
    assert mean.mean == f"{np.mean(persons['age'].to_numpy()):.4g}"


def test_risks_count_persons() -> None:
    """One over the size of the class, summed over persons: as many as there are classes."""
    persons, visits = skewed()
    done = released((persons, visits), quasi=["age", "sex", "days"], keep=[], accept=[], measuring=covey.Measuring())
    assert measured(done.report, Measure.REIDENTIFICATIONS) == pytest.approx(done.report.classes)
    assert measured(done.report, Measure.MARKETER_RISK) == pytest.approx(done.report.classes / 60)
    original = next(one for one in done.report.risk if one.label == "records below 2").original
    assert original is not None
    assert 50 < original <= 60


def test_what_is_missing_is_counted_in_its_own_file() -> None:
    persons, visits = tables(60, 3)
    gaps = persons.set_column(1, "age", pa.array([None] * 4 + persons["age"].to_pylist()[4:], pa.int64()))
    with pytest.raises(InputError, match=r"missing values: age \(4\)"):
        released((gaps, visits))
    done = released((gaps, visits), missing="own-group", small_units="suppress", k=2)
    notes = [note.text for note in done.report.notes if "missing values" in note.text]
    assert notes == ["missing values of quasi-identifiers, rule own-group: age (4)"]


@pytest.mark.parametrize("second", [False, True])
def test_an_identifier_that_stands_once_in_its_file_does_not_repeat(*, second: bool) -> None:
    both: list[Any] = [*tables(60, 3)]
    both[second] = both[second].append_column("number", pa.array(range(len(both[second]))))
    done = released((both[0], both[1]), random_ids=["number"])
    table = done.second if second else done.first
    assert len(set(table["number"].to_pylist())) == len(table) == len(both[second])
    both[second] = both[second].set_column(
        both[second].num_columns - 1, "number", pa.array([0, *range(len(both[second]) - 1)])
    )
    with pytest.raises(InputError, match="the identifier 'number' repeats"):
        released((both[0], both[1]), random_ids=["number"])


def test_the_name_of_the_inner_column_is_said_to_be_taken() -> None:
    taken = VISITS.append_column(ROW, pa.array(["x"] * len(VISITS)))
    with pytest.raises(InputError, match="the second table has a column named 'covey row'.*rename it"):
        released((PERSONS, taken))


def test_what_is_shown_of_a_sensitive_column_is_of_those_who_have_a_row() -> None:
    """Who has no visit has no ward: that all of a class have none is no class that shares a ward."""
    persons, visits = tables(120, 1, seed=3)
    done = released((persons, visits), quasi=["age", "sex", "days"], sensitive=["ward"], measuring=covey.Measuring())
    look = {row["person"]: (row["age"], row["sex"]) for row in done.first.to_pylist()}
    classes: dict[Any, list[str]] = {}
    for row in done.second.to_pylist():
        classes.setdefault((*look[row["person"]], row["days"]), []).append(row["ward"])
    assert len(done.second) == len(visits)
    alone = sum(len(of) for of in classes.values() if len(set(of)) == 1)
    assert [show.distinct_l for show in done.report.sensitive] == [min(len(set(of)) for of in classes.values())]
    assert measured(done.report, Measure.HOMOGENEOUS_CLASSES, "ward") == pytest.approx(alone / len(visits))
    usual = sum(max(of.count(ward) for ward in "xy") for of in classes.values())
    assert measured(done.report, Measure.ATTRIBUTE_GUESS, "ward") == pytest.approx(usual / len(visits))


def test_a_sensitive_column_of_the_first_table_is_counted_once_a_person() -> None:
    persons, visits = skewed()
    rng = np.random.default_rng(1)
    persons = persons.append_column("ill", pa.array(rng.choice(["a", "b", "c"], 60, p=[0.7, 0.2, 0.1])))
    choices: dict[str, Any] = {"quasi": ["age", "sex", "days"], "keep": [], "accept": [], "sensitive": ["ill"]}
    done = released((persons, visits), **choices, measuring=covey.Measuring())
    look = {row["person"]: [(row["age"], row["sex"])] for row in done.first.to_pylist()}
    for row in done.second.to_pylist():
        look[row["person"]].append(row["days"])
    classes: dict[str, list[str]] = {}
    for row in done.first.to_pylist():
        own, *others = look[row["person"]]
        classes.setdefault(repr((own, sorted(others))), []).append(row["ill"])
    usual = sum(max(of.count(ill) for ill in "abc") for of in classes.values())
    assert measured(done.report, Measure.ATTRIBUTE_GUESS, "ill") == pytest.approx(usual / 60)
    assert "Every unit is one of at least" in to_html(done.report)


def test_a_column_that_names_persons_is_refused_however_many_visits_they_have() -> None:
    """Six visits of each: in the joined rows six records share an address, which is one person's."""
    persons = pa.table({"person": range(50), "mail": [f"m{one}" for one in range(50)]})
    visits = pa.table({"person": [*range(50)] * 6, "days": [one % 7 for one in range(300)]})
    choices: dict[str, Any] = {"quasi": ["days"], "keep": ["mail"]}
    with pytest.raises(InputError, match=r"mail \(is nearly unique: 100%"):
        released((persons, visits), **(choices | {"accept": []}))
    done = released((persons, visits), **(choices | {"accept": ["mail"]}))
    assert sum("'mail'" in note.text for note in done.report.notes) == 1
