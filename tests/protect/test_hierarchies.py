"""Releases of columns with a hierarchy: labels, requirements, engines, reports."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet

import covey
from covey.core.measure import Measure
from covey.errors import InputError, OptionError

if TYPE_CHECKING:
    from pathlib import Path

ICD = {code: [code[:2], code[0]] for code in ("J44", "J45", "J18", "K35", "K36", "C50", "C34", "C35")}
AGES = [[20, 30, 40, 50, 60, 70, 80], [40, 60]]
HIERARCHY: dict[str, Any] = {"diagnosis": ICD, "age": AGES, "zip": "prefix:2,3"}
QUASI = ["diagnosis", "age", "zip", "visits"]
SECRET = "ab" * 32


def stays(n: int = 90, seed: int = 1) -> pd.DataFrame:
    draw = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "diagnosis": draw.choice(list(ICD), n),
            "age": draw.integers(15, 95, n),
            "zip": [f"0{code}" for code in draw.integers(100, 140, n)],
            "visits": draw.integers(0, 40, n),
            "ward": draw.choice(["north", "south"], n),
            "person": draw.integers(0, n // 2, n).astype(str),
            "illness": draw.choice(["a", "b", "c", "d"], n),
        }
    )


def release(table: Any = None, k: int = 3, **choices: Any) -> Any:
    usual: dict[str, Any] = {
        "quasi": QUASI,
        "hierarchy": HIERARCHY,
        "drop_rest": True,
        "ledger": False,
        "entropy": SECRET,
    }
    return covey.release(stays() if table is None else table, k, **(usual | choices))


def is_above(label: str, code: str) -> bool:
    return code.startswith(label.rstrip("*"))


def test_released_labels_contain_the_values_of_their_records() -> None:
    table = stays()
    done = release(table, shuffle=False)
    assert all(map(is_above, done.table["diagnosis"], table["diagnosis"]))
    assert all(map(is_above, done.table["zip"], table["zip"]))
    for label, age in zip(done.table["age"], table["age"], strict=True):
        low, high = {
            "under": (0, 0),
            "*": (0, 200),
        }.get(label.split()[0], (int(label.split()[0]) if label[0].isdigit() else 0, 200))
        high = int(label.split()[-1]) - (label.startswith("under")) if label.split()[-1].isdigit() else 200
        assert low <= age <= high
    assert min(Counter(map(tuple, done.table[QUASI].to_numpy().tolist())).values()) >= 3
    assert done.certificate.k >= 3
    assert done.certificate.public["labels"] == {"diagnosis": "ancestor", "age": "ancestor", "zip": "ancestor"}


def test_only_labels_of_the_declared_hierarchy_are_published() -> None:
    done = release()
    chapters = {label for chain in ICD.values() for label in chain}
    assert set(done.table["diagnosis"]) <= {*ICD, *chapters, "*"}
    cuts = {"20", "30", "40", "50", "60", "70", "80", "under", "*"}
    assert {label.split()[0] for label in done.table["age"]} <= cuts


@pytest.mark.parametrize(
    "more",
    [
        {"strata": ["ward"]},
        {"unit": "person"},
        {"sensitive": ["illness"], "l_diversity": 2},
        {"method": "mdav"},
        {"method": "split"},
        {"blocks": [["diagnosis", "age"], ["zip", "visits"]], "allow_blocks": True},
        {"scale": "rank", "importance": {"diagnosis": 3.0}},
        {"aggregates": {"diagnosis": "mode", "zip": "least-loss"}},
        {"unit": "person", "linked": True, "max_rows": 2, "small_units": "suppress"},
    ],
    ids=lambda more: next(iter(more)),
)
def test_everything_else_holds_for_such_columns(more: dict[str, Any]) -> None:
    done = release(measuring=covey.Measuring(), **({"method": "mdav"} | more))
    assert done.certificate.k >= (2 if "blocks" in more else 3) or "blocks" in more
    losses = [one for one in done.report.utility if one.name is Measure.GENERALISATION]
    assert [one.column for one in losses] == [None, *QUASI]
    assert all(0.0 <= one.value <= 1.0 for one in losses)


def test_missing_values_stay_apart_or_are_a_branch() -> None:
    table = stays()
    table.loc[::5, "diagnosis"] = None
    apart = release(table, missing="own-group", small_strata="merge", shuffle=False).table["diagnosis"]
    assert apart.isna().tolist() == table["diagnosis"].isna().tolist()
    mixed = release(table, missing="coordinate", shuffle=False).table["diagnosis"]
    known = table["diagnosis"].notna() & mixed.notna()
    assert all(map(is_above, mixed[known], table["diagnosis"][known]))


def test_the_generalisation_loss_is_the_one_of_the_definition() -> None:
    table = stays(60)
    table["ward"] = table["ward"].astype("category")
    quasi = [*QUASI, "ward"]
    done = release(table, quasi=quasi, shuffle=False, measuring=covey.Measuring(), aggregates={"zip": "mode"})
    given = {one.column: one.value for one in done.report.utility if one.name is Measure.GENERALISATION}
    codes = list(ICD)
    lost = [
        (len(codes) if label == "*" else sum(code.startswith(label) for code in codes)) - 1
        for label in done.table["diagnosis"]
    ]
    assert given["diagnosis"] == pytest.approx(np.mean(lost) / (len(codes) - 1))
    zips = sorted(set(table["zip"]))
    common = [
        next(own[:size] for size in (4, 3, 2, 0) if size == 0 or own[:size] == shown[:size])
        for own, shown in zip(table["zip"], done.table["zip"], strict=True)
    ]
    lost = [sum(code.startswith(prefix) for code in zips) - 1 for prefix in common]
    assert given["zip"] == pytest.approx(np.mean(lost) / (len(zips) - 1))
    visits = table.groupby(list(map(done.table.get, quasi)))["visits"]
    extent = visits.transform("max") - visits.transform("min")
    assert given["visits"] == pytest.approx(float(extent.mean()) / float(np.ptp(table["visits"])))
    assert given["ward"] == pytest.approx(float((table["ward"].astype(str) != done.table["ward"].astype(str)).mean()))
    assert given[None] == pytest.approx(np.mean([given[name] for name in quasi]))


def test_a_suppressed_record_counts_one() -> None:
    table = stays(61)
    table["ward"] = ["rare"] * 1 + ["north"] * 60
    done = release(table, strata=["ward"], small_strata="suppress", measuring=covey.Measuring())
    alone = release(table[1:], strata=["ward"], measuring=covey.Measuring())
    one, other = (
        {each.column: each.value for each in some.report.utility if each.name is Measure.GENERALISATION}
        for some in (done, alone)
    )
    assert one["zip"] == pytest.approx((1 + 60 * other["zip"]) / 61)


@pytest.mark.parametrize("cells", [False, True])
def test_records_that_are_left_out_count_one_in_each_column(*, cells: bool) -> None:
    table = stays()
    table["zip"] = ["0100"] * 80 + ["0200"] * 10
    choices: dict[str, Any] = {"suppress": "13%"} | ({"suppress_cells": True} if cells else {})
    done = release(table, quasi=["zip"], hierarchy={"zip": "prefix"}, k=11, measuring=covey.Measuring(), **choices)
    (mean, of_zip) = (one.value for one in done.report.utility if one.name is Measure.GENERALISATION)
    left = len(table) - int(done.table["zip"].notna().sum())
    assert of_zip == mean
    assert left >= 11
    assert of_zip == pytest.approx(left / len(table))
    assert done.report.groups[0].status == "feasible"


def test_the_medoid_publishes_a_combination_that_somebody_has() -> None:
    table = stays()
    columns = ["diagnosis", "ward", "zip"]
    done = release(table, quasi=["age", *columns], aggregates=dict.fromkeys(columns, "medoid"))
    known = set(map(tuple, table[columns].to_numpy()))
    assert set(map(tuple, done.table[columns].to_numpy())) <= known
    modes = release(table, quasi=["age", *columns], k=12, aggregates=dict.fromkeys(columns, "mode"))
    assert not set(map(tuple, modes.table[columns].to_numpy())) <= known  # else nothing was shown


def test_labels_that_may_be_false_are_said_in_both_reports() -> None:
    done = release(aggregates={"diagnosis": "least-loss"})
    for report in (done.report, done.report.public()):
        assert any("may not contain the true value" in str(note) and "diagnosis" in str(note) for note in report.notes)
    assert not any("true value" in str(note) for note in release().report.notes)


def test_refusals() -> None:
    with pytest.raises(InputError, match=r"20 values|\d+ values of column 'diagnosis'") as caught:
        release(hierarchy=HIERARCHY | {"diagnosis": {"J44": "J"}})
    assert "K35" not in str(caught.value)
    for choices in (
        {"hierarchy": {"ward": {"north": "x", "south": "x"}}},
        {"hierarchy": HIERARCHY, "nominal": ["diagnosis"]},
        {"aggregates": {"visits": "ancestor"}},
        {"aggregates": {"visits": "medoid"}},
        {"aggregates": {"diagnosis": "mean"}},
        {"aggregates": {"diagnosis": "medoid"}, "missing": "coordinate"},
        {"aggregates": {"diagnosis": "medoid"}, "unit": "person", "linked": True},
        {"top": {"age": 80}},
    ):
        with pytest.raises(OptionError):
            release(**choices)


def test_a_recipe_holds_the_hierarchy_and_replays(tmp_path: Path) -> None:
    path, recipe = tmp_path / "icd.csv", tmp_path / "recipe.toml"
    path.write_text("".join(";".join([code, *labels]) + "\n" for code, labels in ICD.items()))
    done = release(hierarchy=HIERARCHY | {"diagnosis": path})
    assert done.recipe == release().recipe
    recipe.write_text(done.recipe.to_toml())
    path.unlink()
    assert covey.release(stays(), recipe=recipe, ledger=False).table.equals(done.table)
    path.write_text("".join(";".join([code, *labels]) + "\n" for code, labels in ICD.items()))
    recipe.write_text(
        f'k = 3\nentropy = "{SECRET}"\ndrop_rest = true\n[roles]\nquasi = {json.dumps(QUASI)}\n'
        '[hierarchy]\ndiagnosis = "icd.csv"\nzip = "prefix:2,3"\nage = "cuts:20,30,40,50,60,70,80;40,60"\n'
    )
    assert covey.release(stays(), recipe=recipe, ledger=False).table.equals(done.table)


# -- files


def written(folder: Path, table: pd.DataFrame, kind: str) -> Path:
    path = folder / f"stays.{kind}"
    if kind == "csv":
        table.to_csv(path, index=False)
    else:
        parquet.write_table(pa.Table.from_pandas(table), path, row_group_size=37)
    return path


@pytest.mark.parametrize("kind", ["csv", "parquet"])
@pytest.mark.parametrize("missing", ["error", "own-group"])
def test_from_file_to_file_it_is_the_same_release(tmp_path: Path, kind: str, missing: str) -> None:
    table = stays()
    if missing == "own-group":
        table.loc[::4, "diagnosis"] = None
    source, target = written(tmp_path, table, kind), tmp_path / f"out.{kind}"
    columns = list(HIERARCHY)
    choices: dict[str, Any] = {"quasi": columns, "hierarchy": HIERARCHY, "drop_rest": True, "entropy": SECRET}
    choices |= {"missing": missing, "ledger": False}
    done = covey.release_file(source, target, 3, measuring=covey.Measuring(), **choices)
    whole = covey.release(source, 3, **choices)
    back = pd.read_csv(target, dtype=str) if kind == "csv" else pd.read_parquet(target)
    expected = whole.table.to_pandas() if hasattr(whole.table, "to_pandas") else whole.arrow.to_pandas()
    assert (
        back[columns].fillna("").astype(str).sort_values(columns).to_numpy().tolist()
        == expected[columns].fillna("").astype(str).sort_values(columns).to_numpy().tolist()
    )
    assert {str(note) for note in whole.report.notes} <= {str(note) for note in done.report.notes}
    assert any(one.name is Measure.GENERALISATION and one.column == "zip" for one in done.report.utility)


def test_leading_zeros_stay_in_text_files(tmp_path: Path) -> None:
    table = stays()
    source = written(tmp_path, table, "csv")
    done = covey.release(source, 3, quasi=["zip", "age"], hierarchy={"zip": "prefix:2,3"}, drop_rest=True, ledger=False)
    assert all(label[0] in "0*" for label in done.arrow.column("zip").to_pylist())
