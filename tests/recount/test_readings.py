"""Units and sensitive values by their coarse reading: one household, however its id is written, in every engine and format."""

from __future__ import annotations

import datetime as dt
import decimal
import itertools
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import covey
from covey.checking.check import Asked, check
from covey.columns.units import read_units, unit_numbers
from covey.core.requirement import CLOSENESS, Requirement
from covey.errors import CoveyError, InfeasibleError, InputError, RefusedError
from covey.files.release import release_file
from covey.recount.readings import Units, coarse, coarse_codes, coarse_text, merged
from covey.recount.requirements import judged
from tests.files.tables import small

if TYPE_CHECKING:
    from pathlib import Path

SAME = [
    ["7", "7.0", "07", "7e0", "+7", " 7", "7,0", "70e-1", "\u00a07", "\uff17", "7.", "\ufeff7"],
    ["HIV", "hiv", "HIV ", "\u200bhiv", "\uff28IV"],
    ["caf\u00e9", "cafe\u0301", "CAF\u00c9"],
    ["0", "-0", "0.0", "-0.0", "0e9", "000"],
    ["", " ", "\t", "\u00a0", "\u200b"],
    ["9007199254740993", "9007199254740993.0"],
    ["9007199254740992", "9007199254740992.00"],
    ["0.1", ".1", "1e-1", "0,10"],
    ["stra\u00dfe", "STRASSE"],
    ["-7", "'-7"],
    ["1e400", "10e399"],
    ["a b", "A B", "a  b", "a\tb", "a\u00a0b"],
    ["a-1", "a\u20111", "A\u22121", "a\u034f-1", "a-\x001", "a-1\ufe0f", "\u3164a-1"],
    ["1-7"],
    ["7a"],
    ["7 0"],
    ["1e"],
]


def test_texts_are_the_same_where_a_format_reads_them_so() -> None:
    for one, other in itertools.combinations([text for some in SAME for text in some], 2):
        alike = any(one in some and other in some for some in SAME)
        assert (coarse_text(one) == coarse_text(other)) == alike, (one, other)


def test_columns_are_read_as_their_texts() -> None:
    """Those that are plain are found without a loop."""
    texts = [text for some in SAME for text in some] + ["120", "x_1.y", "1" * 60, "100", "1e2"]
    wanted = [coarse_text(text) for text in texts]
    for column in (pa.array(texts), pa.array(texts).dictionary_encode(), pa.chunked_array([texts[:5], texts[5:]])):
        assert coarse(column).to_pylist() == wanted
    assert coarse(pa.array([None, "a"])).to_pylist() == [None, "a"]


@pytest.mark.parametrize(
    ("column", "different"),
    [
        (pa.array([0.0, -0.0, float("nan"), None, 7.0]), 3),
        (pa.array([7, 7, None, 2**63 - 1, 2**63 - 2]), 4),
        (pa.array([2**53, 2**53 + 1]), 2),
        (pa.array([decimal.Decimal("7.0"), decimal.Decimal("7.00")], pa.decimal128(9, 2)), 1),
        (pa.array([True, False, None]), 3),
        (pa.array([dt.datetime(2020, 1, 1, 12, tzinfo=dt.UTC)] * 2, pa.timestamp("us", "Europe/Berlin")), 1),
        (pa.array(["a", "A", None], pa.large_string()), 2),
        (pa.DictionaryArray.from_arrays([0, 1, 0], ["a", "A", "unused"]), 1),
    ],
)
def test_columns_of_any_type_are_numbered(column: Any, different: int) -> None:
    assert len(np.unique(coarse_codes(column))) == different
    if column.null_count == 0:
        assert len(np.unique(unit_numbers(column))) == different


def test_values_of_one_reading_have_the_first_code() -> None:
    column = pa.array(["b", "a", "B", "A ", None])
    assert merged(np.array([1, 0, 3, 2, 4]), column).tolist() == [1, 0, 1, 0, 4]


SPELLINGS = [("{}", "{}.0"), ("{}", "0{}"), ("H{}", "h{}"), ("x{}", "x{} "), ("\u00e9{}", "e\u0301{}"), ("{}", "{}e0")]


def spelled(pair: tuple[str, str], n: int = 12) -> list[str]:
    """Households of two rows, each with its id in two ways to write it."""
    return [way.format(number + 1) for number in range(n) for way in pair]


def households(ids: list[str], path: Path) -> Path:
    """Two rows of a household share their age, and no others do: a class of two rows is one household."""
    text = "".join(f'{20 + 3 * (at // 2)},"{one}",{at % 5},{at}\n' for at, one in enumerate(ids))
    path.write_text("age,household,ill,row\n" + text, encoding="utf-8")
    return path


def units_of(out: pa.Table, ages: list[int]) -> int:
    """The least number of households of a class; rows stand in their order."""
    found: dict[Any, set[int]] = {}
    for at, age in enumerate(out["age"].to_pylist()):
        found.setdefault(age, set()).add(ages[at])
    return min(map(len, found.values()))


@pytest.mark.parametrize("pair", SPELLINGS)
@pytest.mark.parametrize("format", ["csv", "parquet"])
def test_a_household_is_one_however_its_id_is_written(pair: tuple[str, str], format: str, tmp_path: Path) -> None:  # noqa: A002
    ids = spelled(pair)
    source: Any = households(ids, tmp_path / "in.csv")
    if format == "parquet":
        source = tmp_path / "in.parquet"
        pq.write_table(pa.table({"age": np.repeat(20 + 3 * np.arange(12), 2), "household": ids}), source)
    done = covey.release(source, k=3, quasi="age", unit="household", shuffle=False, drop_rest=True)
    assert units_of(done.arrow, np.repeat(np.arange(12), 2).tolist()) >= 3
    assert done.certificate.k == units_of(done.arrow, np.repeat(np.arange(12), 2).tolist())
    assert any("the 24 spellings of the unit are read as 12 units" in str(note) for note in done.report.notes)
    done.write(tmp_path / f"out.{format}")


@pytest.mark.parametrize("pair", SPELLINGS[:4])
@pytest.mark.parametrize("format", ["csv", "parquet"])
def test_files_larger_than_memory(
    pair: tuple[str, str],
    format: str,  # noqa: A002
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    small(monkeypatch, batch=20, rows=60)
    ids = spelled(pair, 60)
    source = households(ids, tmp_path / "in.csv")
    if format == "parquet":
        source = tmp_path / "in.parquet"
        columns = {"age": np.repeat(20 + 3 * np.arange(60), 2), "household": ids, "row": np.arange(120)}
        pq.write_table(pa.table(columns), source)
    out = tmp_path / f"out.{format}"
    roles: dict[str, Any] = {"quasi": ["age"], "unit": "household", "keep": ["row"], "accept": ["row"]}
    done = release_file(source, out, 3, drop_rest=True, ledger=False, **roles)
    assert done.certificate.k >= 3
    numbers = (pair, format) == (("{}", "{}.0"), "csv")  # such a column of text is one of numbers there
    assert any("the 120 spellings of the unit are read as 60 units" in str(n) for n in done.report.notes) != numbers
    found: dict[Any, set[int]] = {}
    published = covey.io.read_published(str(out))
    for age, row in zip(published["age"].to_pylist(), published["row"].to_pylist(), strict=True):
        found.setdefault(age, set()).add(int(row) // 2)
    assert min(map(len, found.values())) >= 3


def test_the_recount_sees_what_the_grouping_does_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = households(spelled(SPELLINGS[0]), tmp_path / "in.csv")
    monkeypatch.setattr("covey.protect.work.group_cells", grouped_by_spelling)
    with pytest.raises(RefusedError, match=r"units? in classes below k = 2 \(the smallest holds 1\)"):
        covey.release(source, k=2, quasi="age", unit="household", drop_rest=True)


def grouped_by_spelling(points: Any, cells: Any, k: int, units: Any, *rest: Any, **more: Any) -> Any:
    from covey.protect.group import group_cells

    return group_cells(points, cells, k, np.arange(len(units)), *rest, **more)


@pytest.mark.parametrize("pair", SPELLINGS)
def test_check_counts_households(pair: tuple[str, str], tmp_path: Path) -> None:
    source = households(spelled(pair), tmp_path / "published.csv")
    found = check(str(source), Asked(k=2, quasi=("age",), unit="household"))
    assert found.lines[0].value == 1
    assert not found.passed


def test_rows_of_a_household_get_one_random_id(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ids = [way.format(number % 12 + 1) for way in ("{}", "{}.0") for number in range(12)]
    table = pa.table({"age": [30] * 24, "household": ids})
    done = covey.release(table, k=3, quasi="age", unit="household", random_ids="household", drop_rest=True)
    new = done.arrow["household"].to_pylist()
    assert set(map(new.count, new)) == {2}
    assert len(set(new)) == 12
    small(monkeypatch, batch=10)
    pq.write_table(table, tmp_path / "in.parquet")
    out = tmp_path / "out.parquet"
    release_file(
        tmp_path / "in.parquet", out, 3, quasi=["age"], unit="household", random_ids=["household"], ledger=False
    )
    assert len(set(pq.read_table(out)["household"].to_pylist())) == 12


@pytest.mark.parametrize("missing", [None, "", "  ", "\u200b"])
def test_a_missing_id_is_an_error(missing: str | None) -> None:
    table = pa.table({"age": [1, 1, 1, 1], "household": ["a", "b", "c", missing]})
    with pytest.raises(InputError, match="the unit 'household' is missing in 1 record;"):
        covey.release(table, k=2, quasi="age", unit="household")


def test_ids_of_17_digits_are_not_read_through_a_float() -> None:
    ids = [str(2**53 + number) for number in range(4)]
    assert read_units(pa.table({"id": ids}), "id").spelled is None
    assert len(np.unique(unit_numbers(pa.array([2**53 + number for number in range(4)])))) == 4


# -- sensitive values


ILL = ["HIV", "hiv", "HIV ", "flu"]


def test_spellings_of_a_value_are_one_value() -> None:
    table = pa.table({"age": np.arange(24), "ill": [ILL[at % 3] if at % 8 else "flu" for at in range(24)]})
    done = covey.release(table, k=3, quasi="age", sensitive="ill", l_diversity=2)
    found: dict[int, set[str]] = {}
    for row in done.arrow.to_pylist():
        found.setdefault(row["age"], set()).add(row["ill"].strip().lower())
    assert all(some == {"hiv", "flu"} for some in found.values())
    only = pa.table({"age": np.arange(24), "ill": [ILL[at % 3] for at in range(24)]})
    with pytest.raises(InfeasibleError, match="have 1 different values"):
        covey.release(only, k=3, quasi="age", sensitive="ill", l_diversity=2)


@pytest.mark.parametrize("kind", ["entropy", "recursive", CLOSENESS])
def test_other_forms_hold_under_both_readings(kind: str) -> None:
    """By one reading alone each of these would pass."""
    asked = {
        "entropy": Requirement("ill", "entropy", 1.8),
        "recursive": Requirement("ill", "recursive", 2.0, 1.5),
        CLOSENESS: Requirement("ill", CLOSENESS, 0.1),
    }[kind]
    classes = np.repeat([0, 1], 4)
    split = ["HIV", "hiv", "Hiv", "flu"]  # one value in most records, spread over its spellings
    assert not judged(pa.array(split * 2), classes, None, asked, None).holds or kind == CLOSENESS
    joined = ["flu", "flu", "hiv", "hiv"]
    assert judged(pa.array(joined * 2), classes, None, asked, None).holds
    if kind == CLOSENESS:  # close by the coarse reading; as written, the classes have nothing in common
        written = ["flu", "flu", "hiv", "hiv", "FLU", "FLU", "HIV", "HIV"]
        assert judged(pa.array(written), classes, None, asked, None).reached == 0.5


def test_a_release_is_close_under_both_readings() -> None:
    rng = np.random.default_rng(0)
    ill = [("flu" if rng.random() < 0.5 else "hiv") for _ in range(120)]
    ill = [one.upper() if at >= 60 else one for at, one in enumerate(ill)]
    table = pa.table({"age": np.arange(120), "ill": ill})
    done = covey.release(table, k=4, quasi="age", sensitive="ill", t_closeness=0.3, accept="ill")
    rows = done.arrow.to_pylist()
    for read in (str, str.lower):
        whole = [read(row["ill"]) for row in rows]
        for age in {row["age"] for row in rows}:
            here = [read(row["ill"]) for row in rows if row["age"] == age]
            far = sum(abs(here.count(v) / len(here) - whole.count(v) / len(whole)) for v in set(whole)) / 2
            assert far <= 0.3 + 1e-9


def test_entropy_over_units_holds_under_both_readings() -> None:
    """Two spellings of a unit are two units, as written: its values then weigh more."""
    units = Units(np.array([0, 0, 1, 2]), np.array([0, 3, 1, 2]))
    column, classes = pa.array(["a", "b", "c", "c"]), np.zeros(4, dtype=np.int64)
    asked = Requirement("ill", "entropy", 2.0)
    by_units = [judged(column, classes, Units(codes, None), asked, None).reached for codes in units.readings]
    assert judged(column, classes, units, asked, None).reached == min(by_units)
    assert by_units[0] != by_units[1]


def test_check_takes_the_worse_reading(tmp_path: Path) -> None:
    table = pa.table({"age": [1] * 4 + [2] * 4, "ill": ["HIV", "hiv", "flu", "flu", "HIV", "hiv", "FLU", "FLU"]})
    pq.write_table(table, tmp_path / "t.parquet")
    found = check(str(tmp_path / "t.parquet"), Asked(k=2, quasi=("age",), sensitive=("ill",)))
    measured = {line.measure: line.value for line in found.lines}
    assert measured["distinct l-diversity of ill"] == 2
    assert measured["alpha of ill"] == 0.5
    assert measured["entropy l-diversity of ill"] == pytest.approx(2.0)
    assert measured["t-closeness of ill (equal distance)"] == pytest.approx(1 / 4)


# -- classes, of which the finest reading is the safe side


@pytest.mark.parametrize("zero", [0.0, -0.0])
def test_a_release_has_one_zero(zero: float, tmp_path: Path) -> None:
    """An observer of the text would tell 0.0 from -0.0."""
    values = [0.0, zero, -0.0, 0.0, -0.0, zero, 5.0, 5.0, 5.0, 6.0, 6.0, 6.0]
    table = pa.table({"x": values, "s": values})
    done = covey.release(table, k=3, quasi="x", strata="s", small_strata="merge")
    done.write(tmp_path / "out.csv")
    assert "-0" not in (tmp_path / "out.csv").read_text()


def test_spellings_of_a_stratum_stay_apart() -> None:
    table = pa.table({"x": np.arange(12.0), "s": ["a", "A"] * 6})
    done = covey.release(table, k=3, quasi="x", strata="s")
    assert done.report.classes >= 2
    assert set(done.arrow["s"].to_pylist()) == {"a", "A"}
    few = pa.table({"x": np.arange(12.0), "s": ["a"] * 10 + ["A"] * 2})
    with pytest.raises(CoveyError, match="(strata hold|stratum holds) fewer than k"):
        covey.release(few, k=3, quasi="x", strata="s")
