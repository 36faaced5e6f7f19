"""Missing codes and forms of dates: found or declared, the same from a dataframe, a text file and Parquet, in memory and out of it."""

from __future__ import annotations

import datetime as dt
import itertools
import random
import re
from typing import TYPE_CHECKING, Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import covey
from covey import cli
from covey.columns.dates import DateForm
from covey.columns.missing_codes import without_codes
from covey.errors import InputError, OptionError
from covey.io import read, read_published

if TYPE_CHECKING:
    from pathlib import Path

DAYS = [dt.date(1990, 1, 2), dt.date(1985, 11, 30), dt.date(2000, 2, 29), dt.date(1999, 12, 1)]


@pytest.mark.parametrize("between", ["/", "-", ".", " ", ""])
@pytest.mark.parametrize("order", list(itertools.permutations("dmy")))
def test_every_form_is_read(between: str, order: tuple[str, ...]) -> None:
    words = {"d": "%d", "m": "%m", "y": "%Y"}
    form = between.join({"d": "dd", "m": "mm", "y": "yyyy"}[letter] for letter in order)
    texts = [day.strftime(between.join(words[letter] for letter in order)) for day in DAYS]
    if between:
        texts += [f" {text} " for text in (between.join(str(int(p)) for p in t.split(between)) for t in texts)]
    found = DateForm.parse(form.upper()).read_column("x", pa.array([*texts, None, ""]))
    assert found.to_pylist() == (DAYS * 2 if between else DAYS) + [None, None]


@pytest.mark.parametrize("form", ["dd/mm/yy", "dd/mm", "mm/mm/yyyy", "ddmyyyy", "%d/%m/%Y", "", 3])
def test_other_forms_are_refused(form: Any) -> None:
    with pytest.raises(OptionError, match="the form of dates"):
        covey.Recipe(k=3, dates={"x": form})


@pytest.mark.parametrize("text", ["31/02/1990", "12/31/1990", "1990-01-01", "soon"])
def test_what_is_not_of_the_form_is_an_error_that_quotes_nothing(text: str) -> None:
    table = pa.table({"x": ["01/02/1990", text]})
    with pytest.raises(InputError, match="declared to hold dates as dd/mm/yyyy") as caught:
        covey.release(table, k=2, quasi=["x"], dates={"x": "dd/mm/yyyy"})
    assert text not in str(caught.value)


def born(day_first: bool, n: int = 40) -> list[str]:  # noqa: FBT001
    days = [dt.date(1950 + i, 1 + i % 12, 1 + (7 * i) % 28) for i in range(n)]
    return [day.strftime("%d/%m/%Y" if day_first else "%m/%d/%Y") for day in days]


@pytest.mark.parametrize("day_first", [True, False])
def test_a_day_above_12_decides(day_first: bool, tmp_path: Path) -> None:  # noqa: FBT001
    path = tmp_path / "t.csv"
    pd.DataFrame({"born": born(day_first), "kept": born(day_first)}).to_csv(path, index=False)
    first = read(path).table["born"].to_pylist()[:2]
    assert first == [dt.date(1950, 1, 1), dt.date(1951, 2, 8)]
    done = covey.release(path, k=4, quasi=["born"], keep=["kept"], accept=["kept"])
    assert done.arrow["born"].type == pa.date32()
    assert sorted(done.arrow["kept"].to_pylist()) == sorted(born(day_first))  # as it was written
    word = "day/month/year" if day_first else "month/day/year"
    assert any(f"'born' holds dates as {word}" in str(note) for note in done.report.notes)


def test_where_no_day_decides_it_must_be_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = tmp_path / "t.csv", tmp_path / "out.csv"
    texts = [f"{1 + i % 12}/{1 + i % 7}/{1950 + i}" for i in range(60)]
    pd.DataFrame({"born": texts}).to_csv(path, index=False)
    for more in ([], ["--memory", "1GiB"]):
        command = ["release", str(path), "-o", str(out), "-k", "3", "--quasi", "born", "--force", "--no-ledger", *more]
        assert cli.main(command) == 2
        assert "--dates born=dd/mm/yyyy or --dates born=mm/dd/yyyy" in capsys.readouterr().err
        seen = {}
        for form in ("dd/mm/yyyy", "mm/dd/yyyy"):
            assert cli.main([*command, "--dates", f"born={form}"]) == 0
            seen[form] = sorted(read_published(out)["born"].to_pylist())
        assert seen["dd/mm/yyyy"] != seen["mm/dd/yyyy"]
        assert all(len(text) == 10 and text[4] == "-" for text in seen["dd/mm/yyyy"])
    assert cli.main(["recipe", str(path), "--quasi", "born"]) == 0
    assert "--dates born=dd/mm/yyyy" in capsys.readouterr().out


CODED: dict[str, tuple[list[Any], tuple[str, ...], list[Any]]] = {
    "whole": ([1, 99, 2, 98, None], ("99", "98"), [1, None, 2, None, None]),
    "float": ([1.5, 99.0, -9.0], ("99", "-9", "."), [1.5, None, None]),
    "text": (["a", " ? ", "b", "-"], ("?", "-"), ["a", None, "b", None]),
    "day": ([dt.date(1900, 1, 1), dt.date(2000, 1, 1)], ("1900-01-01",), [None, dt.date(2000, 1, 1)]),
    "truth": ([True, None], ("false",), [True, None]),
}


@pytest.mark.parametrize("name", CODED)
def test_codes_are_missing(name: str) -> None:
    values, codes, expected = CODED[name]
    table = pa.table({"x": values, "y": values})
    found, number = without_codes(table, {"x": codes})
    assert found["x"].to_pylist() == expected
    assert found["y"].to_pylist() == values
    assert number == {"x": expected.count(None) - values.count(None)}


def test_codes_that_fit_no_value_are_an_error() -> None:
    with pytest.raises(InputError, match="none of the missing codes of column 'x' can be a value"):
        without_codes(pa.table({"x": [1, 2]}), {"x": ("unknown",)})


def test_missing_codes_are_missing_before_anything_else(tmp_path: Path) -> None:
    """They do not make a column text, do not enter a mean, and are nowhere in the release, whatever the engine."""
    ages = [20 + i % 50 for i in range(120)] + [999] * 10
    texts = [str(age) for age in ages[:-5]] + ["n.a.", "999.0", "n.a.", " 999", "999"]
    choices: dict[str, Any] = {"quasi": ["age"], "missing": "own-group", "missing_codes": {"age": [999, "n.a."]}}
    path, parquet = tmp_path / "t.csv", tmp_path / "t.parquet"
    pd.DataFrame({"age": texts}).to_csv(path, index=False)
    pq.write_table(pa.table({"age": ages}), parquet)
    expected = sorted(covey.release(pa.table({"age": ages}), k=5, **choices).arrow["age"].to_pylist(), key=str)
    assert expected.count(None) == 10
    assert max(age for age in expected if age is not None) < 70
    assert sorted(covey.release(path, k=5, **choices).arrow["age"].to_pylist(), key=str) == expected
    for source in (path, parquet):
        out = tmp_path / "out.parquet"
        done = covey.release_file(source, out, 5, ledger=False, force=True, **choices)
        assert sorted(pq.read_table(out)["age"].to_pylist(), key=str) == expected
        assert any("declared" in str(note) and "age" in str(note) for note in done.report.notes)


@pytest.mark.parametrize("given", [[], [" "], ""])
def test_missing_codes_must_be_something(given: Any) -> None:
    with pytest.raises(OptionError, match="the missing codes of 'x'"):
        covey.Recipe(k=3, missing_codes={"x": given})


def test_a_recipe_keeps_what_was_said() -> None:
    recipe = covey.Recipe.from_toml(
        'k = 3\nquasi = ["x"]\nnumber = ["x"]\nmissing_codes = {x = [99, "."]}\ndates = {y = "dd/mm/yyyy"}\n'
    )
    assert recipe.missing_codes == {"x": ("99", ".")}
    assert covey.Recipe.from_toml(recipe.to_toml()) == recipe


def test_declarations_about_other_columns_are_errors() -> None:
    table = pa.table({"age": list(range(20)), "name": ["x"] * 20})
    for choice in ({"missing_codes": {"name": ["x"]}}, {"dates": {"name": "dd/mm/yyyy"}}):
        with pytest.raises(OptionError, match="names 'name', which is not in a role that is looked at"):
            covey.release(table, k=3, quasi=["age"], drop=["name"], **choice)
        with pytest.raises(InputError, match="there is none of that name"):
            covey.release(table.drop_columns(["name"]), k=3, quasi=["age"], **choice)


@pytest.mark.parametrize("engine", ["memory", "file"])
def test_dates_of_which_something_is_required_are_published_in_their_order(engine: str, tmp_path: Path) -> None:
    """As text, 31/01/1999 would stand behind 01/12/2004, and the recount could not see how close a class is."""
    rng = random.Random(1)
    lines = [
        f"{rng.gauss(3000, 500):.2f},{rng.randrange(1, 29):02}/{rng.randrange(1, 13):02}/{rng.randrange(1950, 2005)}"
        for _ in range(200)
    ]
    source, out = tmp_path / "in.csv", tmp_path / "out.csv"
    source.write_text("pay,born\n" + "\n".join(lines) + "\n", encoding="utf-8")
    chosen: dict[str, Any] = {"quasi": ["pay"], "sensitive": ["born"], "accept": ["born"], "t_closeness": 0.1}
    if engine == "memory":
        covey.release(source, k=3, **chosen).write(out)
    else:
        covey.release_file(source, out, 3, **chosen)
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\d", line.split(",")[1]) for line in out.read_text().splitlines()[1:])
