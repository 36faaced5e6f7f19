"""Small strata and patterns that fail a requirement follow the rule in parts as in memory."""

from __future__ import annotations

import pickle
from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pytest

from covey.errors import CoveyError, InfeasibleError
from covey.parts import kinds
from covey.parts.kinds import KindCount
from covey.parts.make_plan import make_plan
from covey.parts.plan import needs_kinds
from tests.files.tables import in_memory, released, small
from tests.parts.test_survey import surveyed

if TYPE_CHECKING:
    from pathlib import Path

REQUIRED: tuple[dict[str, Any], ...] = (
    {"l_diversity": 2},
    {"l_diversity": 2, "diversity": "entropy"},
    {"t_closeness": 0.4},
    {"alpha": 0.7},
    {"spread": {"pay": 30}, "sensitive": ["pay"], "accept": ["pay"]},
    {"p_percent": {"income": 15}},
    {"l_diversity": 2, "unit": "person", "drop": ["person"]},
)


def wards(rng: np.random.Generator, n: int = 120) -> pa.Table:
    """Some wards know one illness only, or pay alike."""
    ward = rng.choice(list("abcdef"), n, p=[0.4, 0.3, 0.1, 0.1, 0.05, 0.05])
    alike = np.isin(ward, ["c", "e"])
    return pa.table(
        {
            "age": pa.array(rng.normal(40, 10, n).round(), mask=rng.random(n) < 0.15),
            "income": rng.normal(100, 30, n).round(1),
            "ward": ward,
            "illness": np.where(alike, "gout", rng.choice(["gout", "flu", "asthma", "none"], n)),
            "pay": np.where(alike, 70, rng.integers(0, 200, n)),
            "person": rng.integers(0, n // 2, n),
        }
    )


def seen(table: pa.Table, done: Any) -> tuple[Any, ...]:
    notes = [note.text for note in done.report.notes if note.text.split()[1] in ("strata", "patterns")]
    return Counter(table["ward"].to_pylist()), done.report.suppressed, notes


@pytest.mark.parametrize("choices", REQUIRED, ids=lambda choices: next(iter(choices)) + "-" * ("unit" in choices))
@pytest.mark.parametrize("rule", ["merge", "suppress", "error"])
def test_strata_that_fail_follow_the_rule_as_in_memory(choices: dict[str, Any], rule: str, tmp_path: Path) -> None:
    given: dict[str, Any] = {"strata": ["ward"], "sensitive": ["illness"], "missing": "own-group"} | choices
    found: list[list[Any]] = [[], []]
    for seed in range(4):
        table = wards(np.random.default_rng(seed))
        for engine, several in enumerate(found):
            try:
                if engine == 0:
                    done = in_memory(table, 3, small_strata=rule, **given)
                    several.append(seen(done.arrow, done))
                else:
                    filed, out = released(table, tmp_path, 3, small_strata=rule, **given)
                    several.append(seen(out, filed))
            except CoveyError as error:
                several.append(str(error))
    assert found[0] == found[1]
    assert all(isinstance(one, str) == (rule == "error") for one in found[0])


def test_kinds_add_up_whatever_the_parts() -> None:
    table = wards(np.random.default_rng(1))
    choices: dict[str, Any] = {"quasi": ["age", "income"], "strata": ["ward"], "missing": "own-group"}
    survey = surveyed(table, [50], **choices, small_strata="merge", unit="person", sensitive=["illness"], l_diversity=2)
    plan = make_plan(survey)
    assert needs_kinds(plan, survey)
    whole, parts = KindCount(), KindCount()
    whole.add(plan, table)
    for start in (0, 50, 90):
        part = KindCount()
        part.add(plan, table.slice(start, {0: 50, 50: 40, 90: 30}[start]))
        parts.merge(plan, pickle.loads(pickle.dumps(part)))  # noqa: S301
    one, other = whole.whole(plan), parts.whole(plan)
    assert one is not None
    assert other is not None
    assert one.times.sum() == other.times.sum() == len(table)
    assert one.keys.tolist() == other.keys.tolist()
    assert one.times.tolist() == other.times.tolist()


def test_cells_of_many_records_are_judged_by_shares(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    table = wards(np.random.default_rng(2), 400)
    choices: dict[str, Any] = {
        "strata": ["ward"],
        "missing": "coordinate",
        "sensitive": ["illness"],
        "alpha": 0.7,
        "small_strata": "suppress",
    }
    wanted = released(table, tmp_path, 3, **choices)[1]
    monkeypatch.setattr(kinds, "MOST_JUDGED", 60)
    assert Counter(released(table, tmp_path, 3, **choices)[1]["ward"]) == Counter(wanted["ward"])
    assert len(wanted) < 400


def test_too_many_kinds_are_an_error_that_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    small(monkeypatch)
    monkeypatch.setattr(kinds, "MOST_KINDS", 5)
    table = wards(np.random.default_rng(3), 300)
    choices: dict[str, Any] = {
        "strata": ["ward"],
        "missing": "coordinate",
        "sensitive": ["illness"],
        "small_strata": "merge",
        "k": 3,
    }
    with pytest.raises(
        InfeasibleError, match="cannot merge or leave out small strata of more than 1000000 kinds of records"
    ):
        released(table, tmp_path, l_diversity=2, **choices)
    kept = table.filter(pa.array(~np.isin(table["ward"].to_numpy(zero_copy_only=False), ["c", "e"])))
    assert len(released(kept, tmp_path, l_diversity=2, **choices)[1]) == len(kept)
