"""The design of a survey beside linked units: strata, clusters and weights are of the whole unit, and labels of clusters can be random ids."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import covey
from covey.errors import InputError
from tests.files.tables import small
from tests.units import oracle
from tests.units.test_release import households, panel, released, units_of

if TYPE_CHECKING:
    from pathlib import Path

CLUSTERS: dict[str, Any] = {"strata": ["village"], "random_ids": ["home", "village"]}


def villages(number: int = 120, places: int = 4, seed: int = 0) -> pa.Table:
    """Households of some villages, whose labels anybody knows."""
    table = households(number, 2, seed)
    names = [f"village {int(home[1:]) % places}" for home in table["home"].to_pylist()]
    weight = [100.0 + int(home[1:]) for home in table["home"].to_pylist()]
    return table.append_column("village", pa.array(names)).append_column("w", pa.array(weight))


def torn(table: pa.Table, column: str, units: int) -> pa.Table:
    """The same, where one row of so many units of two has the value of somebody else."""
    homes, values = table["home"].to_pylist(), table[column].to_pylist()
    two = sorted(home for home, rows in Counter(homes).items() if rows == 2)[:units]
    for home in two:
        place = homes.index(home)
        values[place] = next(value for value in table[column].to_pylist() if value != values[place])
    return table.set_column(table.column_names.index(column), column, pa.array(values))


@pytest.mark.parametrize(
    ("column", "choices"),
    [
        ("village", {"strata": ["village"]}),
        ("village", CLUSTERS),
        ("w", {"weight": "w"}),
        ("w", {"weight": "w", "weights": "drop"}),
    ],
    ids=str,
)
def test_a_column_of_the_design_that_differs_inside_units_is_refused(
    column: str, choices: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small(monkeypatch, rows=40)
    assert released(villages(), **choices).certificate.k >= 3
    broken = torn(villages(), column, 5)
    with pytest.raises(InputError, match=rf"several values in a linked unit: {column} \(in 5 units\); needed"):
        released(broken, **choices)
    pq.write_table(broken, tmp_path / "in.parquet", row_group_size=30)
    asked: dict[str, Any] = {"quasi": ["income", "age"], "unit": "home", "linked": True, "drop_rest": True}
    with pytest.raises(InputError, match=rf"{column} \(in 5 units\)"):
        covey.release_file(
            tmp_path / "in.parquet", tmp_path / "out.csv", 3, ledger=False, small_strata="merge", **(asked | choices)
        )
    assert released(broken, linked=False, **(choices | {"random_ids": []})).certificate.k >= 3


def test_replicate_weights_that_differ_inside_units_are_refused() -> None:
    table = villages().append_column("r", villages()["w"])
    choices: dict[str, Any] = {"weight": "w", "replicate_weights": ["r"]}
    assert released(table, **choices).certificate.k >= 3
    with pytest.raises(InputError, match=r"unit: r \(in 7 units\)"):
        released(torn(table, "r", 7), **choices)


def test_waves_of_a_panel_may_have_each_its_own() -> None:
    table = panel()
    wave = np.array(table["wave"].to_pylist())
    table = table.append_column("w", pa.array(1.0 + wave)).append_column("area", pa.array(wave // 2))
    done = released(table, time="wave", weight="w", strata=["area"])
    units = units_of(done, "wave", "w", "area")
    assert min(oracle.appearances(units).values()) >= 3
    assert {row[-3:] for unit in units for row in unit} == {(w, 1.0 + w, w // 2) for w in range(4)}


def test_labels_of_clusters_are_random_ids_others_in_every_release() -> None:
    table = villages()
    one, other = (released(table, sensitive=["ill"], accept=["ill"], **CLUSTERS) for _ in range(2))
    ids, others = ({*done.arrow["village"].to_pylist()} for done in (one, other))
    assert len(ids) == len(others) == 4
    assert not ids & others
    assert min(oracle.appearances(units_of(one, "village")).values()) >= 3
    assert one.certificate.public["counted_over"] == ["income", "age", "sex", "village"]
    rows = Counter(table["village"].to_pylist())
    assert sorted(Counter(one.arrow["village"].to_pylist()).values()) == sorted(rows.values())
    assert covey.release(table, recipe=one.recipe, ledger=False).arrow.equals(one.arrow)
    assert "village 1" not in str(one.report) + str(one.certificate.public) + one.arrow.to_pandas().to_csv()
    encoded = table.set_column(6, "village", table["village"].dictionary_encode())
    assert released(encoded, **CLUSTERS).arrow.schema.field("village").type == pa.string()


def test_merged_clusters_share_an_id() -> None:
    table = villages()
    homes = table["home"].to_pylist()
    few = [
        "hamlet" if home in homes[:2] else name for home, name in zip(homes, table["village"].to_pylist(), strict=True)
    ]
    table = table.set_column(6, "village", pa.array(few))
    done = released(table, small_strata="merge", small_units="suppress", **CLUSTERS)
    assert len({*done.arrow["village"].to_pylist()}) == 4
    assert min(oracle.appearances(units_of(done, "village")).values()) >= 3
    rows = covey.release(
        table,
        3,
        quasi=["age"],
        unit="home",
        strata=["village"],
        random_ids=["village"],
        small_strata="merge",
        drop_rest=True,
        ledger=False,
    )
    assert len({*rows.arrow["village"].to_pylist()}) == 4
    assert min(Counter(zip(*(rows.arrow[name].to_pylist() for name in ("age", "village")), strict=True)).values()) >= 3


@pytest.mark.parametrize("name", ["out.csv", "out.parquet"])
def test_from_file_to_file_the_ids_are_those_of_memory(name: str, tmp_path: Path) -> None:
    table, secret = villages(), "ab" * 32
    pq.write_table(table, tmp_path / "in.parquet", row_group_size=30)
    asked: dict[str, Any] = {"quasi": ["income", "age"], "unit": "home", "drop_rest": True, "ledger": False}
    done = covey.release_file(tmp_path / "in.parquet", tmp_path / name, 3, entropy=secret, **(asked | CLUSTERS))
    memory = covey.release(table, 3, entropy=secret, **(asked | CLUSTERS))
    found = covey.io.read(done.path).table
    for column in ("village", "home"):
        assert Counter(found[column].to_pylist()) == Counter(memory.arrow[column].to_pylist())
    assert sorted(map(str, done.report.notes)) == sorted(map(str, memory.report.notes))
