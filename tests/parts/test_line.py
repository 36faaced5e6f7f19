"""One column out of memory: the total cost of the grouping in memory, exactly."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import covey
from covey.costs import COSTS, RoundedSquares
from covey.files.budget import Budget
from covey.files.passes import Making
from covey.files.source import ParquetSource
from covey.io.inputs import Inputs
from covey.line import OptimalLine
from covey.memory import recipe_of
from covey.parts.line import Ranges, mixed_order
from covey.utils import randomness
from tests.files.tables import in_memory, released, small

if TYPE_CHECKING:
    from pathlib import Path

COLUMNS = {
    "lognormal": np.random.default_rng(0).lognormal(0, 2, 1000),
    "ages": np.random.default_rng(1).integers(18, 90, 1000),
    "arange": np.arange(1000),
    "constant": np.full(700, 3.5),
    "offset": 1e9 + np.random.default_rng(2).normal(size=800),
    "large integers": 2**60 + np.random.default_rng(3).integers(0, 10**6, 600),
    "tiny": np.random.default_rng(4).normal(size=500) * 1e-310,
    "huge": np.random.default_rng(5).normal(size=500) * 1e300,
    "two values": np.repeat([0.0, 1.0], 300),
    "few": np.arange(9.0),
}
AGGREGATES = {"mean": "sse", "median": "sae", "midrange": "maxdist", "max": "roundup", "min": "rounddown"}


def groups_of(table: pa.Table, folder: Path, k: int, **choices: Any) -> list[np.ndarray[Any, Any]]:
    """The groups of the column x, as they leave the windows."""
    pq.write_table(table, folder / "in.parquet", row_group_size=90)
    recipe = recipe_of(k, None, {"quasi": ["x"], "drop_rest": True, **choices})
    recipe = recipe.with_changes(entropy=randomness.draw())
    recipe = recipe.with_changes(roles=recipe.roles.settle(table.column_names, drop_rest=True), drop_rest=False)
    making = Making(
        ParquetSource(Inputs.of_file(folder / "in.parquet", "parquet")),
        recipe,
        Budget(2**30, 8.0, 1),
        folder,
        lambda _what: None,
        0,
    )
    plan, survey = making.plan()
    assert plan.is_line
    found: list[np.ndarray[Any, Any]] = []
    labels_of = making.released

    def kept(plan: Any, table: Any, number: int, **given: Any) -> Any:
        part = labels_of(plan, table, number, **given)
        x = table.column("x").to_numpy()
        labels = given["labels"]
        if labels is None:
            labels = covey.partition(x, k, cost=AGGREGATES[choices.get("aggregates", {}).get("x", "mean")]).labels
        found.extend(x[labels == label] for label in np.unique(labels))
        return part

    making.released = kept  # type: ignore[method-assign]
    assert sum(part.table.num_rows for part in making.parts(plan, survey)) == len(table)
    return found


@pytest.mark.parametrize("aggregate", AGGREGATES)
@pytest.mark.parametrize("name", COLUMNS)
def test_cost(name: str, aggregate: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small(monkeypatch, rows=130)
    x, k = COLUMNS[name], 4
    groups = groups_of(pa.table({"x": x}), tmp_path, k, aggregates={"x": aggregate}, number=["x"])
    assert min(map(len, groups)) >= k
    origin = x.min()  # costs do not change under translation, and no digits are lost
    power = -int(np.frexp(np.abs(x - origin).max())[1])
    cost = COSTS[AGGREGATES[aggregate]]
    total = sum(cost.loss(np.sort(np.ldexp((group - origin).astype(float), power))) for group in groups)
    best = OptimalLine(cost=AGGREGATES[aggregate]).solve(np.ldexp((x - origin).astype(float), power), k).loss
    assert total == pytest.approx(best, rel=1e-9, abs=1e-300)


@pytest.mark.parametrize("rows", [10, 57, 5000])
def test_loss_is_that_in_memory(rows: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small(monkeypatch, rows=rows, sample=300)
    table = pa.table({"x": COLUMNS["lognormal"], "kept": np.arange(1000) % 3})
    done, out = released(table, tmp_path, quasi=["x"], keep=["kept"])
    (here,), (there,) = done.report.groups, in_memory(table, quasi=["x"], keep=["kept"]).report.groups
    assert here.status == "optimal"
    assert here.loss_percent == pytest.approx(there.loss_percent, rel=1e-9)
    assert covey.verify(out, ["x"], 5).rows == 1000
    assert sorted(out["kept"].to_pylist()) == sorted(table["kept"].to_pylist())


def test_strata_and_missing_values(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small(monkeypatch, rows=100)
    rng = np.random.default_rng(7)
    x = [None if gap else float(value) for gap, value in zip(rng.random(900) < 0.1, rng.normal(size=900), strict=True)]
    table = pa.table({"x": pa.array(x, pa.float64()), "region": rng.choice(["a", "b", "c"], 900, p=[0.7, 0.2, 0.1])})
    for missing in ("own-group", "coordinate"):
        chosen: dict[str, Any] = {"quasi": ["x"], "strata": ["region"], "missing": missing}
        done, out = released(table, tmp_path, **chosen)
        there = in_memory(table, **chosen)
        assert covey.verify(out, ["x", "region"], 5).rows == 900
        mine, theirs = done.report.groups[0].loss_percent, there.report.groups[0].loss_percent
        assert mine == pytest.approx(theirs, rel=1e-9)
        gaps = [one.null_count for one in (out["x"], there.arrow["x"])]
        assert gaps[0] == gaps[1]


@settings(deadline=None, max_examples=30)
@given(st.data())
def test_ranges_keep_the_order(data: st.DataObject) -> None:
    n = data.draw(st.integers(1, 60))
    cell = np.array(data.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n)))
    key = np.array(data.draw(st.lists(st.integers(0, 4), min_size=n, max_size=n)), dtype=float)
    row = np.arange(n)
    some = np.array(data.draw(st.lists(st.integers(0, n - 1), min_size=1, max_size=n, unique=True)))
    ranges = Ranges.of_sample(cell[some], key[some], row[some], data.draw(st.integers(1, 8)))
    buckets = ranges.assign(cell, key, row)
    firsts = list(zip(ranges.cell.tolist(), ranges.key.tolist(), ranges.row.tolist(), strict=True))
    rows = zip(cell.tolist(), key.tolist(), row.tolist(), strict=True)
    assert buckets.tolist() == [sum(first <= one for first in firsts) for one in rows]


def test_ranks_do_not_show_in_the_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows of a class in the order of what they were would tell it."""
    small(monkeypatch, rows=300)
    x = np.random.default_rng(8).permutation(3000).astype(float)
    done, out = released(pa.table({"x": x, "was": x}), tmp_path, quasi=["x"], keep=["was"], accept=["was"])
    classes: dict[float, list[float]] = {}
    for value, was in zip(out["x"].to_pylist(), out["was"].to_pylist(), strict=True):
        classes.setdefault(value, []).append(was)
    ascending = sum(held == sorted(held) for held in classes.values())
    assert ascending < 0.05 * len(classes)
    assert done.certificate.k >= 5


@pytest.mark.parametrize("rows", [57, 5000])
def test_weights_count_across_buckets(rows: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The weighted squares of a file are those in memory, however many buckets there are."""
    small(monkeypatch, rows=rows, sample=300)
    x, weights = COLUMNS["lognormal"], np.random.default_rng(6).integers(1, 50, 1000)
    table = pa.table({"x": x, "weight": weights, "row": np.arange(1000)})
    done, out = released(table, tmp_path, quasi=["x"], weight="weight", weights="drop", keep=["row"], accept=["row"])
    published = out["x"].to_numpy()[np.argsort(out["row"].to_numpy())]
    best = covey.solve(x, 5, weights=weights)
    assert np.sum(weights * (x - published) ** 2) == pytest.approx(best.loss, rel=1e-9)
    assert done.report.groups[0].status == "feasible"


def test_windows_hold_few_buckets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On arange paths never meet: buckets are read again instead of being held."""
    small(monkeypatch, rows=50)
    from covey.parts import line

    most = [0]
    get = line.SortedBuckets.get

    def watched(self: Any, bucket: int) -> Any:
        found = get(self, bucket)
        most[0] = max(most[0], len(self._ready))
        return found

    monkeypatch.setattr(line.SortedBuckets, "get", watched)
    groups = groups_of(pa.table({"x": np.arange(2000.0)}), tmp_path, 3)
    assert most[0] <= 3
    assert (
        sum(RoundedSquares().loss(group) for group in groups)
        == OptimalLine(cost="rounded").solve(np.arange(2000.0), 3).loss
    )


def test_equal_keys_lie_in_an_order_of_the_secret() -> None:
    keys = np.repeat([2.0, 1.0], 500)
    order, other = mixed_order(keys, 7), mixed_order(keys, 8)
    assert sorted(order.tolist()) == list(range(1000))
    assert (np.diff(keys[order]) >= 0).all()
    assert order.tolist() != other.tolist()
    assert abs(np.corrcoef(order[:500], np.arange(500))[0, 1]) < 0.2
