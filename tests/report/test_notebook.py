"""What a notebook shows: public numbers alone, since notebooks are committed."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import covey
import covey.network
from covey.errors import CoveyError
from covey.memory import wished
from tests.report.test_report import SENTINELS, people

CHOICES: dict[str, Any] = {"k": 5, "quasi": ["age", "income", "ward"], "drop_rest": True, "entropy": "ab" * 32}


@pytest.fixture(scope="module")
def done() -> covey.Release:
    return covey.release(people(), measuring=covey.Measuring(originals=True), **CHOICES)


def test_a_release_shows_public_numbers_alone(done: covey.Release) -> None:
    shown = done._repr_html_()
    assert done.report._repr_html_() == done.report.public()._repr_html_()
    for sentinel in (*SENTINELS, "987,654"):
        assert sentinel not in shown
    assert shown.count("<svg") == 1
    assert shown.count("<table") == 1
    assert "shuffled" in shown
    public = {round(100 * one.value, 6) for one in done.report.public().risk if one.label == "record linkage"}
    internal = {100 * one.value for one in done.report.risk if one.label == "record linkage"}
    (linked,) = re.findall(r"linked to their own</th><td[^>]*>([0-9.]+) %", shown)
    assert float(linked) in public
    assert float(linked) not in internal


def test_names_of_columns_are_text() -> None:
    table = pa.table({"<b>age</b>": np.arange(60.0), "x": np.arange(60.0) % 7})
    shown = covey.release(table, k=3, quasi=["<b>age</b>", "x"], number=["x"], measuring=True)._repr_html_()
    assert "<b>" not in shown
    assert "&lt;b&gt;age" in shown


def test_a_comparison_shows_what_is_public() -> None:
    found = covey.compare(people(planted=False), [3, 9], ["mdav"], quasi=["age", "income"], drop_rest=True)
    shown = found._repr_html_()
    assert shown.count("<svg") == 1
    for one in found.settings:
        assert one.public_loss == float(f"{one.public_loss:.2g}") != one.loss
        assert f"{one.loss:.4g}" not in shown
    assert len(found.plot().axes[0].texts) == 2


def test_solutions_show_their_groups_and_no_loss() -> None:
    solution = covey.solve(np.random.default_rng(0).normal(size=(50, 2)), 4)
    shown = solution._repr_html_()
    assert f"{solution.loss:.3g}" not in shown
    assert ">50<" in shown
    assert solution.plot().axes[0].patches
    found = covey.network.microaggregate([(1, 2), (2, 3), (3, 4), (4, 5), (5, 6)], lower=3, connected=True)
    assert "2, all of 3" in found._repr_html_()
    none = covey.network.microaggregate([(1, 2)], lower=3)
    assert "infeasible" in none._repr_html_()
    with pytest.raises(CoveyError, match="no clusters to draw"):
        none.plot()


def test_plots_have_an_axis_for_each_measure(done: covey.Release) -> None:
    axes = done.plot().axes
    assert [axis.get_xlabel() for axis in axes] == ["Variation lost, of numbers, %", "Records with another category, %"]
    with pytest.raises(CoveyError, match="no measures to plot"):
        covey.release(people(), measuring=False, **CHOICES).plot()


def test_measures_come_by_themselves_and_can_be_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("covey.memory.USUALLY", covey.Measuring())
    assert covey.release(people(), **CHOICES).report.risk
    assert covey.release(people(), measuring=False, **CHOICES).report.risk == []
    monkeypatch.setattr("covey.memory.is_installed", lambda _package: False)
    assert covey.release(people(), **CHOICES).report.risk == []  # without the extra, nothing is measured
    assert wished(True) == covey.Measuring()
    with pytest.raises(CoveyError, match="needed: covey.Measuring\\(\\), True, False or nothing"):
        wished("yes")


def test_a_release_says_in_which_order_its_rows_are(done: covey.Release) -> None:
    assert repr(done) == "<Release: 400 records in random order, k = 5 records>"
    assert "in their order" in repr(covey.release(people(), shuffle=False, **CHOICES))
