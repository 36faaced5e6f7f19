"""What is learned of the whole table does not depend on the parts it is learned from."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import covey
from covey.columns.values import read_values
from covey.files.source import open_source
from covey.io import read
from covey.io.inputs import Inputs
from covey.memory import recipe_of
from covey.parts.make_plan import make_plan
from covey.parts.moments import Moments
from covey.parts.plan import needs_points, point_sums, with_cells
from covey.parts.slices import Slice
from covey.parts.splits import split
from covey.parts.survey import Survey
from covey.utils import randomness
from covey.utils.hashing import Sums, numbers_of
from tests.files.tables import people

if TYPE_CHECKING:
    from pathlib import Path


def surveyed(table: pa.Table, cuts: list[int], **choices: Any) -> Survey:
    """A survey of a table in parts, each sent from elsewhere."""
    recipe = recipe_of(3, None, {"drop_rest": True, "entropy": "00" * 32, **choices})
    recipe = recipe.with_changes(roles=recipe.roles.settle(table.column_names, drop_rest=True), drop_rest=False)
    parts: list[Survey] = []
    for start, stop in zip([0, *cuts], [*cuts, len(table)], strict=True):
        part = Survey(recipe, 1.0)
        if stop > start:
            part.add(table.select(recipe.read_columns).slice(start, stop - start), [start])
        parts.append(pickle.loads(pickle.dumps(part)))  # noqa: S301
    for other in parts[1:]:
        parts[0].merge(other)
    return parts[0]


CHOICES: dict[str, Any] = {
    "quasi": ["age", "income", "illness"],
    "strata": ["region"],
    "missing": "own-group",
    "small_strata": "merge",
    "sensitive": ["pay"],
    "t_closeness": 0.9,
}


def many(n: int = 60) -> pa.Table:
    rng = np.random.default_rng(2)
    gaps = pa.array(rng.random(n) < 0.2)
    region = rng.choice(["a", "b"], n)
    region[[5, 40]] = "c"  # fewer than k
    table = people(n, region=pa.array(region), pay=pa.array(rng.integers(0, 9, n)))
    income = [None if gap.as_py() else one for gap, one in zip(gaps, table["income"].to_pylist(), strict=True)]
    return table.set_column(1, "income", pa.array(income, pa.float64()))


@settings(deadline=None, max_examples=25)
@given(st.lists(st.integers(0, 60), max_size=5).map(sorted))
def test_parts_add_up(cuts: list[int]) -> None:
    table = many()
    plans = []
    for some in ([], cuts):
        survey = surveyed(table, some, **CHOICES)
        plan = make_plan(survey)
        assert needs_points(plan, survey)
        plans.append(with_cells(plan, survey, point_sums(plan, table)))
    one, other = plans
    read = [plan.read(table) for plan in plans]
    np.testing.assert_allclose(one.points(read[0].columns), other.points(read[1].columns), rtol=1e-12, atol=1e-12)
    assert one.cells is not None
    assert other.cells is not None
    assert one.cells.keys == other.cells.keys
    assert one.cells.cell.tolist() == other.cells.cell.tolist()
    assert one.notes == other.notes
    assert one.totals == pytest.approx(other.totals)
    assert [shape.categories for shape in one.shapes.values()] == [shape.categories for shape in other.shapes.values()]
    for name, (values, numbers) in one.overall.items():
        assert values.tolist() == other.overall[name][0].tolist()
        assert numbers.tolist() == other.overall[name][1].tolist()


def test_moments_of_extreme_numbers() -> None:
    for values in (np.array([1e300, -1e300, 5e299]), 1e9 + np.arange(5.0), np.array([5e-324, 0.0]), np.full(4, 7.0)):
        moments = Moments()
        for value in values:
            moments.add(read_values("x", pa.array([value])), None)
        scale = np.abs(values).max()
        assert float(moments.deviation / scale) == pytest.approx(float((values / scale).std()), rel=1e-9, abs=1e-16)
    heavy = Moments()
    heavy.add(read_values("x", pa.array([1.0, 2.0, 100.0])), None)
    assert heavy.one_makes_half
    heavy.add(read_values("x", pa.array([-100.0])), None)
    assert not heavy.one_makes_half


def test_fingerprints() -> None:
    key = randomness.draw()
    table = pa.table({"x": [1, 2, 2, None], "s": ["a", "b", "b", ""]})

    def sums(*tables: pa.Table) -> str:
        whole = Sums()
        for one in tables:
            part = Sums()
            part.add(one.columns)
            whole.merge(part)
        return whole.hash(key)

    assert sums(table) == sums(table.take([3, 1, 0, 2])) == sums(table.slice(2), table.slice(0, 2))
    assert sums(table) == sums(table.set_column(0, "x", table["x"].cast(pa.float64())))
    assert sums(table) != sums(table.slice(1))
    assert sums(table) != sums(table.select(["s", "x"]))
    swapped = pa.table({"x": [2, 1, 2, None], "s": ["a", "b", "b", ""]})
    assert sums(table) != sums(swapped)  # the same columns, other rows
    assert len(set(numbers_of(pa.array([0.0, -0.0, float("nan"), None])).tolist())) == 2


def test_a_slice_holds_all_rows_of_its_values() -> None:
    values = np.random.default_rng(0).integers(0, 40_000, 300_000)
    table = pa.table({"v": values})
    sliced = Slice("v", 3)
    for start in range(0, 300_000, 70_000):
        sliced.add(table.slice(start, 70_000))
    held = sliced.table["v"].to_numpy()
    assert 20_000 < len(held) <= 100_000
    wanted = values[np.isin(values, np.unique(held))]
    assert sorted(held.tolist()) == sorted(wanted.tolist())
    constant = Slice("v", 3)
    constant.add(pa.table({"v": np.zeros(200_000)}))
    assert constant.table is None


@pytest.mark.parametrize("most", [50, 400])
def test_splits_are_balanced(most: int) -> None:
    rng = np.random.default_rng(1)
    points = np.column_stack([rng.normal(size=20_000), rng.integers(0, 3, 20_000)])
    splits = split(points, len(points), most)
    sizes = np.bincount(splits.assign(points, np.arange(len(points), dtype=np.uint64)), minlength=len(splits))
    assert sizes.sum() == len(points)
    assert sizes.max() <= max(most, 128) * 1.01
    assert sizes.min() >= min(most, 128) * 0.3
    same = split(np.zeros((1000, 2)), 1000, 100)
    dealt = np.bincount(same.assign(np.zeros((1000, 2)), np.arange(1000, dtype=np.uint64)), minlength=len(same))
    assert dealt.tolist() == [100] * 10


TEXTS = {
    "plain": "x,s\n1,a\n2,b\n3,c\n",
    "floats later": "x,s\n" + "1,a\n" * 400 + "2.5,b\n",
    "text later": "x,s\n" + "1,a\n" * 30 + "q,b\n" * 40,
    "mostly numbers": "x,s\n" + "1,a\n" * 400 + "q,b\n",
    "decimal commas": "x;s\n1,5;a\n2,25;b\n",
    "codes": "x,s\n007,a\n008,b\n",
    "dates": "x,s\n2020-01-01,a\n,b\n2021-02-03,NA\n",
    "no such day": "x,s\n2020-01-01,a\n2020-02-31,b\n",
    "written in two ways": "x,s\n250.1,a\n250.10,b\n",
    "plus": "x,s\n+1,a\n2,b\n",
    "empty": "x,s\n,a\n,b\n",
    "points": "x;s\n1.000;a\n2.000;b\n",
    "booleans": "x,s\ntrue,a\nFalse,b\n",
    "day first": "x,s\n" + "1/2/2020,a\n" * 30 + "31/1/2020,b\n",
    "month first": "x,s\n" + "1-2-2020,a\n" * 30 + "1-31-2020,b\n",
    "no day above 12": "x,s\n" + "1/2/2020,a\n" * 30,
    "both orders": "x,s\n" + "31/1/2020,a\n1/31/2020,b\n" * 30,
    "moments": "x,s\n2020-01-01T10:00:00+02:00,a\n2020-01-01T10:00:00Z,b\n",
}


@pytest.mark.parametrize("name", TEXTS)
def test_text_has_the_types_that_it_has_in_memory(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "t.csv").write_text(TEXTS[name])
    monkeypatch.setattr("covey.io.delimited.BLOCK", 64)
    source = open_source(Inputs.of_file(tmp_path / "t.csv", "csv"), None, lambda _what: None)
    whole = read(tmp_path / "t.csv")
    assert [str(field.type) for field in source.schema] == [str(field.type) for field in whole.table.schema]
    assert source.mixed == whole.mixed
    assert source.notes == whole.notes
    assert source.texts == list(whole.texts)
    assert dict(source.dialect) == dict(whole.dialect)
    parts = pa.concat_tables(list(source.batches(source.schema.names)))
    assert parts.equals(whole.table.combine_chunks()) or parts.to_pylist() == whole.table.to_pylist()


def test_the_ledger_knows_a_table_wherever_it_was_released(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COVEY_LEDGER", str(tmp_path / "ledger.jsonl"))
    table = people(200)
    pa.csv.write_csv(table, tmp_path / "in.csv")
    covey.release(table, 3, quasi=["age", "income"], drop_rest=True).write(tmp_path / "first.parquet")
    with pytest.warns(covey.ledger.ReleasedBeforeWarning):
        done = covey.release_file(tmp_path / "in.csv", tmp_path / "out.csv", 5, quasi=["age", "income"], drop_rest=True)
    assert any("released before (once" in str(note) for note in done.notes)


def test_slices_of_parts_are_one() -> None:
    values = np.random.default_rng(1).integers(0, 3000, 30_000)
    few, many = Slice("v", 3, 4000), Slice("v", 3, 4000)
    few.add(pa.table({"v": values[:1000]}))
    many.add(pa.table({"v": values[1000:]}))
    assert few.limit > many.limit
    few.merge(many)
    held = few.table["v"].to_numpy()
    assert sorted(held.tolist()) == sorted(values[np.isin(values, np.unique(held))].tolist())


def test_no_piece_holds_fewer_than_k() -> None:
    points = np.concatenate([np.zeros(500), np.ones(2)]).reshape(-1, 1)
    splits = split(points, 502, 100, k=3)
    sizes = np.bincount(splits.assign(points, np.arange(502, dtype=np.uint64)), minlength=len(splits))
    assert sizes.min() >= 3
    assert len(splits) > 1


def test_moments_do_not_depend_on_the_machine() -> None:
    """BLAS adds in another order on each processor, and the last bit of a scale decides ties."""
    script = (
        "import numpy as np, pyarrow as pa; from covey.columns.values import read_values; from covey.parts.moments import Moments\n"
        "for seed in range(20):\n"
        "    moments = Moments(); moments.add(read_values('x', pa.array(np.random.default_rng(seed).lognormal(3, 1, 500))), None)\n"
        "    print(float(moments.squares).hex())"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", script],
            env=os.environ | {"OPENBLAS_CORETYPE": core},
            capture_output=True,
            check=True,
        ).stdout
        for core in ("Prescott", "Haswell", "SkylakeX")
    }
    assert len(found) == 1
