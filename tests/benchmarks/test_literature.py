"""Values of the literature stand beside the method that is meant, and those of other algorithms in rows of their own."""

from __future__ import annotations

from collections import Counter

import numpy as np

from benchmarks.space import literature, render
from benchmarks.space.published import FEW, LITERATURE


def test_every_value_is_beside_a_row_that_is_measured() -> None:
    measured = {*literature.METHODS, "repeated-ordering"}
    assert {published.ours for published in LITERATURE} <= {*measured, None}
    assert {published.table for published in LITERATURE} == {
        "tarragona",
        "census",
        "eia",
        *(kind.split(",")[0] for kind in literature.KINDS),
    }


def test_no_value_is_there_twice() -> None:
    rows = Counter((published.table, published.algorithm, published.ours) for published in LITERATURE)
    assert set(rows.values()) == {1}
    assert all(0 < loss < 100 for published in LITERATURE for loss in published.losses.values())


def test_rows_of_simulated_tables() -> None:
    table = literature.KINDS["sim-2"](np.random.default_rng(0))
    assert len(table) == 100
    assert 4 <= table.shape[1] <= 8
    assert literature.KINDS["sim-1"](np.random.default_rng(0)).shape == (100, 10)


def test_simulated_means_have_their_error_and_both_readings_the_printed_value() -> None:
    rows = [
        {"table": f"sim-3{of}", "k": 3, "method": "mdav", "loss": 15.5, "error": 0.728}
        for of in ("", ", deviations of sim-2")
    ]
    text = render.simulated({"rows": rows})
    assert text.count("| 15.5000 ± 0.73 / 15.5112 |") == 2
    rows[1]["loss"] = 8.2312
    assert render.apart({"rows": rows}).endswith("at most: 0.0 (sim-3), 10.0 (sim-3, deviations of sim-2).")


def test_measured_and_printed_values_stand_beside_each_other() -> None:
    rows = [{"table": "tarragona", "k": k, "method": "mdav", "loss": 16.0 + k} for k in FEW]
    text = render.literature({"rows": rows})
    assert "| mdav | MDAV | " in text
    assert "| 19.0000 / 16.9326 | 21.0000 / 22.4619 | 26.0000 / 33.1929 |" in text
    assert "| - | MDAV-2 | as listed in later comparisons | - / 16.3826 | - / 22.0797 | - / 33.1793 |" in text
