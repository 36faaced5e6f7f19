"""Missing sensitive values: what is known is judged alone, and so is what is missing; in memory, in files and by `covey check`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import covey
from covey import privacy
from covey.checking.check import Asked, check
from covey.core.requirement import CLOSENESS, Requirement
from covey.errors import RefusedError
from covey.privacy.counts import weights_of
from covey.recount import duckdb
from covey.recount.requirements import judged
from tests.files.tables import released as released_file
from tests.files.tables import small
from tests.privacy import definitions as by

if TYPE_CHECKING:
    from pathlib import Path

QUASI = ("age", "income")


def people(n: int = 300, seed: int = 0, gaps: float = 0.3) -> pa.Table:
    """Pay and illness go with age, and so does what is missing of them."""
    rng = np.random.default_rng(seed)
    age = rng.integers(18, 90, n)
    pay = (age // 9 + rng.integers(0, 5, n)).astype(float)
    gone = rng.random(n) < gaps * (0.5 + age / 90)
    ill = np.array(["none", "flu", "cold", "gout"])[(age // 20 + rng.integers(0, 2, n)) % 4]
    return pa.table(
        {
            "age": age,
            "income": rng.normal(3000, 500, n).round(2),
            "pay": pa.array([None if g else p for g, p in zip(gone, pay.tolist(), strict=True)], pa.float64()),
            "ill": [None if g else i for g, i in zip(gone, ill.tolist(), strict=True)],
        }
    )


def far(table: pa.Table, name: str, *, ordered: bool) -> float:
    """The definition: each record is a unit."""
    rows = [row | {"at": at} for at, row in enumerate(table.to_pylist())]
    whole = [(row["at"], row[name]) for row in rows]
    return max(
        by.closeness([(row["at"], row[name]) for row in some], whole, ordered=ordered)
        for some in by.classes(rows, QUASI)
    )


@pytest.mark.parametrize("engine", ["memory", "file"])
@pytest.mark.parametrize(("name", "t"), [("pay", 0.2), ("ill", 0.4)])
@pytest.mark.parametrize("seed", range(2))
def test_closeness(
    seed: int, name: str, t: float, engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    choices: dict[str, Any] = {"sensitive": [name], "t_closeness": t, "accept": [name], "drop_rest": True}
    given = people(seed=seed)
    if engine == "memory":
        done: Any = covey.release(given, k=4, quasi=list(QUASI), **choices)
        out = done.arrow
    else:
        small(monkeypatch)
        monkeypatch.setattr(duckdb, "BATCH_ROWS", 60)
        done, out = released_file(given, tmp_path, 4, **choices)
    worst = far(out, name, ordered=name == "pay")
    assert worst <= t + 1e-9
    assert worst == pytest.approx(done.report.requirements[0].worst_class)
    assert worst == pytest.approx(done.report.sensitive[0].t_closeness)


def test_a_missing_value_is_not_the_greatest() -> None:
    """Two classes whose known values are far apart: many missing ones beside them bring them no nearer."""
    values = [1.0, 2.0, None, None, None, None, None, None, 3.0, 4.0, None, None, None, None, None, None]
    classes = np.repeat([0, 1], 8)
    asked = Requirement("pay", CLOSENESS, 0.2)
    found = judged(pa.array(values), classes, None, asked, None)
    assert found.reached == pytest.approx(1 / 3)
    assert not found.holds


@pytest.mark.parametrize("ordered", [False, True])
def test_a_class_without_known_values_is_as_far_as_its_missing_ones(*, ordered: bool) -> None:
    column = pa.array([1.0, 2.0, None, None] if ordered else ["a", "b", None, None])
    asked = Requirement("pay", CLOSENESS, 0.5)
    assert judged(column, np.array([0, 0, 1, 1]), None, asked, None).reached == 0.5
    assert judged(column, np.array([0, 1, 0, 1]), None, asked, None).reached == 0.5
    nothing = pa.array([None] * 4, column.type)
    assert judged(nothing, np.array([0, 0, 1, 1]), None, asked, None).reached == 0.0
    for kind in ("distinct", "entropy", "recursive"):
        assert not judged(column, np.array([0, 0, 1, 1]), None, Requirement("pay", kind, 2.0, 9.0), None).holds


def test_the_recount_refuses_what_is_missing_too_often() -> None:
    done = covey.release(
        people(), k=4, quasi=list(QUASI), sensitive="pay", t_closeness=0.25, accept="pay", drop_rest=True
    )
    rows = done.arrow.to_pylist()
    some = max(by.classes(rows, QUASI), key=len)
    pay = [None if row in some else row["pay"] for row in rows]
    spoiled = done.arrow.set_column(done.arrow.column_names.index("pay"), "pay", pa.array(pay, pa.float64()))
    with pytest.raises(RefusedError, match="within 0.25 of that of the release"):
        done.recount(spoiled)


def test_check_leaves_missing_values_out(tmp_path: Path) -> None:
    table = pa.table({"age": [1, 1, 1, 1, 2, 2, 2, 2], "ill": ["a", "b", None, None, "a", "a", "b", None]})
    pq.write_table(table, tmp_path / "t.parquet")
    found = check(str(tmp_path / "t.parquet"), Asked(k=2, quasi=("age",), sensitive=("ill",)))
    measured = {line.measure: line.value for line in found.lines}
    assert measured["alpha of ill"] == pytest.approx(2 / 3)
    known = [("a", "b"), ("a", "a", "b")]
    assert measured["entropy l-diversity of ill"] == pytest.approx(min(map(by.entropy_l, known)))
    assert measured["t-closeness of ill (equal distance)"] == pytest.approx(max(1 / 8, abs(1 / 2 - 3 / 5)))


def test_parts_and_the_whole_are_equally_close() -> None:
    """The codes of a part of the table, beside the weights of the whole."""
    rng = np.random.default_rng(0)
    for _ in range(100):
        n = int(rng.integers(4, 30))
        cell, value, known = rng.integers(0, 4, n), rng.integers(0, 4, n), rng.random(n) < 0.7
        different = np.unique(value[known])
        code = np.where(known, np.searchsorted(different, value), len(different))
        overall = weights_of(code, None, len(different) + 1)
        for ordered in (False, True):
            parts = [
                privacy.t_closeness(cell[part], code[part], known[part], ordered=ordered, overall=overall)
                for part in (cell < 2, cell >= 2)
                if part.any()
            ]
            assert max(parts) == pytest.approx(privacy.t_closeness(cell, value, known, ordered=ordered), abs=1e-12)
