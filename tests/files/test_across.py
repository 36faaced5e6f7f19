"""Two rounds on disk: groups near the borders of pieces are improved across them, whole, and hold what is asked."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pytest

from covey.files import across, passes
from covey.files.threads import ahead
from tests.files.tables import in_memory, released, small

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def cloud(n: int = 4000, columns: int = 2, seed: int = 3) -> pa.Table:
    """Points in a square, so that no few far ones decide the loss."""
    rng = np.random.default_rng(seed)
    return pa.table({f"q{place}": rng.uniform(size=n) for place in range(columns)})


def lost(table: pa.Table, folder: Path, **choices: Any) -> float:
    done, found = released(table, folder, quasi=table.column_names, method="auto", **choices)
    assert found.num_rows == table.num_rows
    assert done.certificate.k >= 5
    return float(done.report.groups[0].loss_percent)


def test_the_second_round_makes_good_what_borders_cost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small(monkeypatch, batch=500, rows=500)
    table = cloud()
    with monkeypatch.context() as patch:
        patch.setattr(passes, "turned_pieces", lambda *_given: None)
        once = lost(table, tmp_path)
    twice = lost(table, tmp_path)
    whole = float(in_memory(table, quasi=table.column_names, method="auto").report.groups[0].loss_percent)
    assert once > 1.02 * whole  # else this shows nothing
    assert twice - whole < 0.5 * (once - whole)


def test_groups_far_from_all_borders_are_released_in_the_first_round(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small(monkeypatch, batch=1000, rows=1000)
    waited: list[int] = []
    real = across.Across._packed

    def counted(self: across.Across) -> list[list[int]]:
        waited.append(int(self.rows.sum()))
        return real(self)

    monkeypatch.setattr(across.Across, "_packed", counted)
    lost(cloud(), tmp_path)
    assert 400 < waited[0] < 3000


@pytest.mark.parametrize(
    "choices",
    [
        {"unit": "person"},
        {"sensitive": ["illness"], "l_diversity": 2},
        {"unit": "person", "sensitive": ["illness"], "l_diversity": 2},
        {"weight": "weight", "weights": "drop"},
        {"aggregates": {"q0": "median"}},
        {"strata": ["region"]},
        {"method": "search", "seed": 1, "options": {"effort": 200}},
    ],
    ids=str,
)
def test_what_is_asked_holds_in_both_rounds(
    choices: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small(monkeypatch, batch=300, rows=300)
    rng, n = np.random.default_rng(1), 1500
    table = cloud(n)
    table = table.append_column("person", pa.array(rng.integers(0, n // 2, n)))
    table = table.append_column("illness", pa.array(rng.choice(["flu", "gout", "asthma"], n)))
    table = table.append_column("region", pa.array(rng.choice(["east", "west"], n, p=[0.3, 0.7])))
    table = table.append_column("weight", pa.array(rng.uniform(1.0, 9.0, n)))
    rounds: list[int] = []
    real = across.Across._second

    def counted(self: across.Across, rows: Any, number: int) -> Any:
        rounds.append(number)
        return real(self, rows, number)

    monkeypatch.setattr(across.Across, "_second", counted)
    done, found = released(table, tmp_path, **({"quasi": ["q0", "q1"], "method": "auto"} | choices))
    assert rounds
    assert found.num_rows == n
    assert done.certificate.k >= 5
    keys = ["q0", "q1", *choices.get("strata", [])]
    assert min(found.group_by(keys).aggregate([([], "count_all")]).column("count_all").to_pylist()) >= 5


def test_rows_leave_in_their_order_after_two_rounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small(monkeypatch, batch=500, rows=500)
    table = cloud(3000).append_column("number", pa.array(np.arange(3000)))
    _, found = released(
        table, tmp_path, quasi=["q0", "q1"], keep=["number"], accept=["number"], method="auto", shuffle=False
    )
    assert found.column("number").to_pylist() == list(range(3000))


def test_groups_do_not_depend_on_the_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The secret decides in which order rows leave, and nothing about who shares a group."""
    small(monkeypatch, batch=500, rows=500)
    tables = []
    for digit in "17":
        _, found = released(cloud(3000), tmp_path, quasi=["q0", "q1"], method="auto", entropy=digit * 64)
        tables.append(sorted(zip(*(column.to_pylist() for column in found.columns), strict=True)))
    assert tables[0] == tables[1]


def test_methods_that_do_not_search_stay_what_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small(monkeypatch, batch=500, rows=500)
    monkeypatch.setattr(across.Across, "parts", lambda *_given: pytest.fail("a second round"))
    for method in ("split", "mdav"):
        released(cloud(2000), tmp_path, quasi=["q0", "q1"], method=method)


def test_an_error_stops_threads_that_are_at_work() -> None:
    """Both would never end by themselves."""

    def worked(item: int) -> int:
        while item:
            pass
        return item

    def items() -> Iterator[int]:
        yield from (0, 1)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(ahead(worked, items(), 2))
    with contextlib.closing(ahead(worked, iter([0, 1, 1]), 2)) as parts:
        assert next(parts) == 0
