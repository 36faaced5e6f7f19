"""Released means have the decimals of their column: against the text of every number, in every engine."""

from __future__ import annotations

import decimal
import itertools
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import covey
from covey import cli
from covey.columns.grain import FULL, Grain, decimals_of, rounded
from covey.columns.values import read_values
from covey.errors import OptionError
from covey.io import read_published

if TYPE_CHECKING:
    from pathlib import Path

RNG = np.random.default_rng(3)


def by_text(value: Any) -> int:
    """The decimals of the shortest text of a number: the definition."""
    exponent = decimal.Decimal(str(value)).normalize().as_tuple().exponent
    return max(0, -int(exponent))


@pytest.mark.parametrize("kind", [np.float64, np.float32])
@pytest.mark.parametrize("digits", range(8))
def test_decimals_are_those_of_the_text(digits: int, kind: Any) -> None:
    values = np.round(RNG.normal(0, 10.0 ** RNG.integers(-2, 6, 500)), digits).astype(kind)
    found = decimals_of(values.astype(np.float64), kind)
    expected = np.array([by_text(value) for value in values])
    assert np.array_equal(found[found < FULL], expected[found < FULL])
    assert (expected[found == FULL] > 9).all()


def test_numbers_of_all_digits_have_all() -> None:
    values = np.random.default_rng(4).lognormal(5, 2, 2000)
    found = decimals_of(values)
    expected = np.array([by_text(value) for value in values])
    before_the_point = np.array([len(str(int(value))) for value in values])
    assert ((expected + before_the_point)[found == FULL] >= 15).all()
    assert np.array_equal(found[found < FULL], expected[found < FULL])
    assert decimals_of(np.array([0.0, -0.0, 1e300, 5e-324, 2.0**60])).tolist() == [0, 0, FULL, FULL, FULL]


@pytest.mark.parametrize("digits", [0, 2, 5])
def test_rounding_gives_the_nearest_decimal(digits: int) -> None:
    for value in RNG.normal(0, 1000, 300):
        nearest = round(float(value), digits)
        assert rounded(np.array([value]), digits)[0] == pytest.approx(nearest, abs=1e-9)
        assert by_text(rounded(np.array([value]), digits)[0]) <= digits


def slow_grain(values: list[float], units: list[int] | None, k: int) -> int | None:
    """The finest number of decimals that at least k records or units use, or exceed."""
    for digits in range(20, -1, -1):
        users = [i if units is None else units[i] for i, value in enumerate(values) if by_text(value) >= digits]
        if len(set(users)) >= k:
            return None if digits >= FULL else digits
    return 0 if values else None


@pytest.mark.parametrize("with_units", [False, True])
def test_the_grain_is_the_finest_that_k_use(with_units: bool) -> None:  # noqa: FBT001
    alphabet = [1.0, 0.5, 0.25, 0.1 + 0.2]
    for values in itertools.product(alphabet, repeat=5):
        for k in (2, 3, 6):
            units = [0, 0, 1, 2, 2] if with_units else None
            whole, first, second = Grain(k), Grain(k), Grain(k)
            numbers = None if units is None else np.array(units)
            column = read_values("x", pa.array(values))
            whole.add(column, numbers)
            for part, rows in ((first, np.arange(3, 5)), (second, np.arange(3))):
                part.add(column.take(rows), None if numbers is None else numbers[rows])
            first.merge(second)
            assert whole.digits == first.digits == slow_grain(list(values), units, k)


def table(n: int = 400) -> pa.Table:
    income = np.round(RNG.lognormal(7, 0.5, n), 2)
    income[:3] = [0.1 + 0.2, 1964.4160000000002, 1 / 3]  # fewer than k have so many digits
    return pa.table({"age": RNG.integers(18, 90, n), "income": income, "level": RNG.normal(0, 1, n)})


@pytest.mark.parametrize("quasi", [["income"], ["age", "income", "level"]])
def test_means_have_the_decimals_of_the_column(quasi: list[str], tmp_path: Path) -> None:
    given = table().select(quasi)
    pq.write_table(given, tmp_path / "t.parquet")
    memory = covey.release(given, k=4, quasi=quasi).arrow
    covey.release_file(tmp_path / "t.parquet", tmp_path / "o.parquet", 4, quasi=quasi, ledger=False)
    filed = pq.read_table(tmp_path / "o.parquet")
    for released in (memory, filed):
        assert max(map(by_text, released["income"].to_pylist())) == 2
        assert sum(released["income"].to_pylist()) == pytest.approx(sum(given["income"].to_pylist()), abs=0.005 * 400)
        if "level" in quasi:
            assert max(map(by_text, released["level"].to_pylist())) > 12  # a column of all digits keeps them
    if len(quasi) == 1:
        assert sorted(memory["income"].to_pylist()) == sorted(filed["income"].to_pylist())


def test_decimals_can_be_chosen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = table()
    for number in (0, 1, 6):
        done = covey.release(given, k=4, quasi=["income"], decimals={"income": number}, drop_rest=True)
        assert max(map(by_text, done.arrow["income"].to_pylist())) == number
    given.to_pandas().to_csv(tmp_path / "t.csv", index=False)
    command = [
        "release",
        str(tmp_path / "t.csv"),
        "-k",
        "4",
        "--drop-rest",
        "--no-ledger",
        "-o",
        str(tmp_path / "o.csv"),
    ]
    assert cli.main([*command, "--quasi", "income", "--decimals", "income=1"]) == 0
    assert max(map(by_text, read_published(tmp_path / "o.csv")["income"].to_pylist())) == 1
    assert cli.main([*command, "--quasi", "age", "--decimals", "age=1", "--force"]) == 2
    assert "decimals names age, which have none" in capsys.readouterr().err
    for wrong in (-1, 1.5, 16, True):
        with pytest.raises(OptionError, match="the decimals of 'x'"):
            covey.Recipe(k=3, decimals={"x": wrong})  # type: ignore[dict-item]


def test_decimals_of_other_types() -> None:
    cents = pa.array([decimal.Decimal(value).scaleb(-2) for value in range(40)], pa.decimal128(10, 2))
    done = covey.release(pa.table({"x": cents}), k=4, quasi=["x"], decimals={"x": 1})
    assert all(value * 10 == int(value * 10) for value in done.arrow["x"].to_pylist())
    for how in ("median", "midrange", "trimmed-mean"):
        other = covey.release(pa.table({"x": cents}), k=4, quasi=["x"], decimals={"x": 1}, aggregates={"x": how})
        assert all(value * 10 == int(value * 10) for value in other.arrow["x"].to_pylist())
    short = pa.table({"x": pa.array(np.round(RNG.normal(0, 50, 90), 1), pa.float32())})
    released = covey.release(short, k=4, quasi=["x"]).arrow["x"].to_numpy()
    assert max(by_text(value) for value in released) == 1


def test_sums_have_the_decimals_of_their_parts() -> None:
    wages, rents = np.round(RNG.normal(50, 9, (2, 300)), 1)
    given = pa.table({"wages": wages, "rents": rents, "total": wages + rents})
    done = covey.release(given, k=3, quasi=given.column_names, edits=["total = wages + rents"]).arrow
    assert max(map(by_text, done["total"].to_pylist())) == 1


def test_picked_values_stay_as_they_are() -> None:
    values = [0.1 + 0.2, *np.arange(1.0, 40.0).tolist()]
    done = covey.release(pa.table({"x": values}), k=3, quasi=["x"], aggregates={"x": "min"})
    assert min(done.arrow["x"].to_pylist()) == 0.1 + 0.2
