"""Replicate weights: published as the weight is, so that totals and their variances stay; known to others as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest

import covey
from covey.errors import InputError, OptionError, RefusedError
from tests.units import oracle
from tests.units.test_release import households, released, units_of

if TYPE_CHECKING:
    from pathlib import Path

REPLICATES = ["r1", "r2", "r3"]
DESIGN: dict[str, Any] = {"weight": "w", "replicate_weights": REPLICATES}


def survey(number: int = 80) -> pa.Table:
    """Households, each with its weight, and with replicate weights that leave some of them out."""
    table = households(number, 3)
    home = np.array([int(name[1:]) for name in table["home"].to_pylist()])
    rng = np.random.default_rng(4)
    weight = rng.uniform(50, 200, number).round(2)
    table = table.append_column("w", pa.array(weight[home]))
    for name in REPLICATES:
        table = table.append_column(name, pa.array((weight * rng.integers(0, 3, number)).round(2)[home]))
    return table


def test_totals_of_every_replicate_stay() -> None:
    table = survey()
    done = released(table, **DESIGN)
    for name in ("w", *REPLICATES):
        assert np.sum(done.arrow[name].to_numpy()) == pytest.approx(np.sum(table[name].to_numpy()), rel=1e-6)
    units = units_of(done, "w", *REPLICATES)
    assert min(oracle.appearances(units).values()) >= 3
    assert all(len({row[3:] for row in unit}) == 1 for unit in units)  # one weight of each kind a household
    assert done.certificate.public["counted_over"] == ["income", "age", "sex", "w", *REPLICATES]


def test_other_rules_of_weights_hold_of_replicates_too() -> None:
    table = survey()
    at = table.column_names.index("w")
    dropped = released(table, weights="drop", **DESIGN)
    assert not {"w", *REPLICATES} & {*dropped.arrow.column_names}
    with pytest.raises(RefusedError, match="published weights count as known"):
        released(table.set_column(at, "w", pa.array([100.0] * table.num_rows)), weights="keep", **DESIGN)
    kept = released(survey(), quasi=["sex"], weights="keep", round_weights=1e6, **DESIGN)
    assert set(kept.arrow["r1"].to_pylist()) == {0.0}


def test_replicates_from_text_are_numbers(tmp_path: Path) -> None:
    pa.csv.write_csv(survey(), tmp_path / "in.csv")
    done = covey.release(
        tmp_path / "in.csv", 3, quasi=["age"], unit="home", random_ids=["home"], drop_rest=True, ledger=False, **DESIGN
    )
    assert pa.types.is_floating(done.arrow["r1"].type)


def test_replicates_that_cannot_be() -> None:
    with pytest.raises(OptionError, match="replicate_weights is given, and has no effect without a weight"):
        released(survey(), replicate_weights=REPLICATES)
    table = survey()
    low = table.set_column(table.column_names.index("r2"), "r2", pa.array(-table["r2"].to_numpy()))
    with pytest.raises(InputError, match="the weight 'r2' is negative"):
        released(low, **DESIGN)
