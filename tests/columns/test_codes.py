"""Whole numbers that look like codes are asked about, amounts are not: in every engine, and whatever the parts of a column are."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import covey
from covey import cli
from covey.columns.codes import (
    MARKS,
    MOST_FEW,
    MOST_VALUES,
    OFTEN,
    SHARP,
    Sign,
    WholeNumbers,
    looked_at,
    signs_of,
)
from covey.columns.values import read_values
from covey.errors import InputError, OptionError
from covey.io import read

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

RNG = np.random.default_rng(0)
N = 400


def signs(values: Any, name: str = "x", **more: bool) -> tuple[Sign, ...]:
    array = values if isinstance(values, pa.Array) else pa.array(values)
    return signs_of(looked_at(read_values(name, array)), **more)


def by_hand(values: Sequence[int | None], name_kind: str) -> set[Sign]:
    """The rules as docs/guides/codes.md has them, for a name that says nothing or is that of an amount."""
    known = [value for value in values if value is not None]
    number = Counter(known)
    found = set()
    others = [value for value in number if value not in MARKS]
    for mark in set(number) & MARKS:
        above = others and mark > max(others) and mark - max(others) > max(max(others) - min(others), 1)
        below = others and mark < 0 <= min(others)
        if (above or below) and number[mark] > 1:
            found.add(Sign.MARK)
    if name_kind == "amount" or not 2 <= len(number) <= MOST_VALUES:
        return found
    ordered = sorted(number)
    step = math.gcd(*(b - a for a, b in itertools.pairwise(ordered)))
    if any(b - a > step and min(number[a], number[b]) >= SHARP for a, b in itertools.pairwise(ordered)):
        return found | {Sign.GAPS}
    few = len(number) <= MOST_FEW and len(known) / len(number) >= OFTEN
    return found | ({Sign.FEW} if few else set())


def test_days_as_whole_numbers_are_asked_about(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("born,age\n" + "".join(f"19{i:02}0{i % 9 + 1}{i % 28 + 1:02},{i}\n" for i in range(40)))
    with pytest.raises(
        InputError, match=r"born \(its numbers are days .* and which are days: --dates born=yyyymmdd \(dates\)"
    ):
        covey.release(path, k=4, quasi=["born", "age"])
    done = covey.release(path, k=4, quasi=["born", "age"], dates={"born": "yyyymmdd"})
    assert done.arrow.schema.field("born").type == pa.date32()
    assert signs([19991231, 20000101, 20001301], "charge") == ()


@pytest.mark.parametrize("name", ["x", "income"])
def test_signs_against_the_rules_by_hand(name: str) -> None:
    alphabet = [0, 1, 2, 3, 5, 9, 99, -1, 40]
    for size in (1, 2, 3, 4):
        for values in itertools.combinations(alphabet, size):
            for times in (1, 2, 9, 10, 30):
                column = [value for place, value in enumerate(values) for _ in range(times + place)]
                assert set(signs(column, name)) == by_hand(column, "amount" if name == "income" else ""), (
                    values,
                    times,
                )


CODES: dict[str, Any] = {
    "x": RNG.choice([0, 1, 99], N, p=[0.6, 0.39, 0.01]),
    "sex": RNG.choice([1, 2], N),
    "v7": RNG.choice([1, 2], N),
    "plz": RNG.integers(8000, 9000, N),
    "zip_code": RNG.integers(10000, 99999, N),
    "where": RNG.choice([11, 12, 21, 22, 31, 33], N),
    "water": RNG.choice([1, 2, 3, 5, 9], N),
    "roof": RNG.choice([2, 4, 5, 6, 9], N),
    "relat": RNG.integers(1, 9, N),
    "hhcivil": RNG.integers(1, 5, N),
    "smoker": RNG.choice([1.0, 0.0, np.nan], N),
    "walls": [Decimal(int(v)).quantize(Decimal("0.0")) for v in RNG.choice([2, 3, 9], N)],
    "households_id": RNG.integers(0, 10**6, N),
    "kids": RNG.choice([0, 1, 2, 99], N),
    "age_group": RNG.integers(0, 7, N),
    "KINDPERS": RNG.choice(range(1, 8), N, p=[0.12, 0.63, 0.08, 0.02, 0.05, 0.09, 0.01]),
    "PRIOCCU": RNG.choice(range(1, 12), N),
    "q3": RNG.poisson(1.3, N),
    "q4": RNG.choice([10, 20, 30, 40, 50], N),
    "until": RNG.integers(0, 20, N),
    "born": 19300101 + 10000 * RNG.integers(0, 70, N) + 100 * RNG.integers(0, 12, N),
}
AMOUNTS: dict[str, Any] = {
    "age": RNG.integers(0, 100, N),
    "alter": RNG.choice([20, 30], N),
    "x": RNG.integers(18, 80, N),
    "birthYear": RNG.integers(1930, 2005, N),
    "income": RNG.choice([1000, 2000, 2500, 9000], N),
    "y": np.round(np.exp(RNG.normal(8, 1, N))),
    "children": RNG.choice([0, 1, 2, 3, 7], N),
    "NUMYOUNG": RNG.poisson(1.3, N),
    "anzahl_autos": RNG.poisson(1.3, N),
    "n_visits": RNG.choice([1, 2, 3], N),
    "size": np.minimum(1 + RNG.poisson(2, N), 8),
    "persons": RNG.integers(1, 6, N),
    "weight": RNG.choice([1, 2, 40], N),
    "temperature": RNG.integers(-20, 35, N),
    "ratio": RNG.choice([0.5, 1.5], N),
    "until": RNG.integers(0, 25, N),
    "q5": RNG.integers(0, 9, 24),
}


@pytest.mark.parametrize("name", CODES)
def test_codes_are_asked_about(name: str) -> None:
    assert signs(CODES[name], name), name


@pytest.mark.parametrize("name", AMOUNTS)
def test_amounts_are_not(name: str) -> None:
    assert signs(AMOUNTS[name], name) == (), name


@pytest.mark.parametrize("values", [CODES["x"], AMOUNTS["x"], CODES["kids"], CODES["q3"], RNG.integers(-40, 9, N)])
def test_parts_in_any_order_are_the_whole(values: Any) -> None:
    whole = looked_at(read_values("x", pa.array(values)))
    for cuts in ([1, 5], [200], [50, 100, 390]):
        found = WholeNumbers("x")
        for part in reversed(np.split(values, cuts)):
            one = WholeNumbers("x")
            one.add(read_values("x", pa.array(part)))
            found.merge(one)
        assert found == whole


def table(n: int = 120) -> pa.Table:
    return pa.table({"age": RNG.integers(18, 90, n), "sex": RNG.choice([1, 2], n), "plz": RNG.integers(8000, 8010, n)})


ASKED = r"sex \(its name is that of a code, it has few different values\); plz \(its name.*--nominal sex,plz or --number sex,plz"


def test_all_are_asked_about_at_once_and_no_value_is_told(tmp_path: Path) -> None:
    given, quasi = table(), ["age", "sex", "plz"]
    with pytest.raises(InputError, match=ASKED) as caught:
        covey.release(given, k=3, quasi=quasi)
    assert "800" not in str(caught.value)
    with pytest.raises(InputError, match=ASKED):
        covey.compare(given, [3], quasi=quasi)
    pq.write_table(given, tmp_path / "t.parquet")
    given.to_pandas().to_csv(tmp_path / "t.csv", index=False)
    for kind in ("parquet", "csv"):
        with pytest.raises(InputError, match=ASKED):
            covey.release_file(tmp_path / f"t.{kind}", tmp_path / f"out.{kind}", 3, quasi=quasi, ledger=False)


def test_what_was_said_is_done() -> None:
    given = table()
    done = covey.release(given, k=3, quasi=["age", "sex", "plz"], nominal=["sex"], number=["plz"]).arrow
    assert set(done["sex"].to_pylist()) <= {1, 2}
    assert len(set(done["plz"].to_pylist())) > 1
    with pytest.raises(OptionError, match="of two kinds"):
        covey.release(given, k=3, quasi=["sex"], nominal=["sex"], number=["sex"], drop_rest=True)
    with pytest.raises(OptionError, match="number names ward, which hold no numbers"):
        covey.release(
            given.append_column("ward", pa.array(["a"] * 120)),
            k=3,
            quasi=["age", "ward"],
            number=["ward"],
            drop_rest=True,
        )
    with pytest.raises(OptionError, match="number names 'sex', which is not a quasi-identifier"):
        covey.release(given, k=3, quasi=["age"], keep=["sex"], number=["sex"], drop_rest=True)


def test_categories_of_a_dataframe_are_categories() -> None:
    frame = table().to_pandas().astype({"sex": "category", "plz": "category"})
    done = covey.release(frame, k=3, quasi=["age", "sex", "plz"]).table
    assert isinstance(done["sex"].dtype, pd.CategoricalDtype)


def test_what_a_statistical_file_says(tmp_path: Path) -> None:
    pyreadstat = pytest.importorskip("pyreadstat")
    frame = pd.DataFrame({"age": RNG.integers(18, 90, 60), "a": RNG.integers(0, 9, 60), "b": RNG.integers(0, 9, 60)})
    path = tmp_path / "t.sav"
    pyreadstat.write_sav(
        frame, path, variable_measure={"a": "nominal", "age": "scale"}, variable_value_labels={"b": {1: "one"}}
    )
    with pytest.raises(InputError, match=r"a \(the file calls its values categories.*\); b \(the file has labels"):
        covey.release(path, k=3, quasi=["age", "a", "b"])
    assert covey.release(path, k=3, quasi=["age", "a", "b"], nominal=["a"], number=["b"]).certificate.k >= 3


def test_the_commands_ask_and_suggest(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "t.csv"
    table().append_column("kids", pa.array([0, 1, 2, 99] * 30)).to_pandas().to_csv(path, index=False)
    given = [str(path), "-k", "3", "--quasi", "age,sex,plz,kids"]
    assert cli.main(["release", *given, "-o", str(tmp_path / "out.csv")]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "--nominal sex,plz,kids" in said
    assert "--missing-codes" in said
    assert not (tmp_path / "out.csv").exists()
    assert cli.main(["compare", *given]) == 2
    assert cli.main(["recipe", *given]) == 0
    out = capsys.readouterr().out
    for line in ('# nominal = ["sex", "plz", "kids"]', '# missing_codes = { "kids" = ["99"] }'):
        assert line in out
        out = out.replace(line, line[2:])
    (tmp_path / "r.toml").write_text(out, encoding="utf-8")
    command = [
        "release",
        str(path),
        "-o",
        str(tmp_path / "out.csv"),
        "--recipe",
        str(tmp_path / "r.toml"),
        "--no-ledger",
    ]
    assert cli.main([*command, "--missing", "own-group", "--small-strata", "merge"]) == 0
    assert set(read(tmp_path / "out.csv").table["kids"].to_pylist()) <= {0, 1, 2, None}
