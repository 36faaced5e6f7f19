"""One contract for three engines: what each makes of the 72 recipes is what was recorded.

A difference is either intended, then `make contract RECORD=1` records it and the changelog says so, or a bug.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from covey.recipe.recipe import Recipe
from tests.contract import engines
from tests.contract.differences import REASONS, Reason, differing, refusal
from tests.contract.recipes import CASES
from tests.contract.records import FOLDER, differences, recorded

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.contract.recipes import Case

ENGINES = ("memory", "file", "spark")


@pytest.mark.parametrize("engine", [engines.memory, engines.file], ids=["memory", "file"])
@pytest.mark.parametrize("name", CASES)
def test_the_release_is_the_recorded_one(
    name: str, engine: Callable[[Case, Any], engines.Observed], tmp_path: Path
) -> None:
    found = engines.run(CASES[name], engine, tmp_path)
    differing = differences(recorded(name)[engine.__name__], json.loads(json.dumps(found)))
    assert not differing, f"recipe {name}, engine {engine.__name__}: {'; '.join(differing)}"


def test_every_recipe_is_recorded_for_every_engine() -> None:
    assert len(CASES) == 77
    assert sum(case.spark for case in CASES.values()) == 15
    assert {path.stem for path in FOLDER.glob("*.json")} == set(CASES)
    assert all(set(recorded(name)) == set(ENGINES) for name in CASES)


def test_the_recipes_cover_roles_and_choices() -> None:
    used = Counter(choice for case in CASES.values() for choice in Recipe.from_dict(case.recipe).as_dict())
    roles = Counter(role for case in CASES.values() for role in Recipe.from_dict(case.recipe).as_dict()["roles"])
    assert set(roles) == {"quasi", "sensitive", "random_ids", "unit", "strata", "weight", "keep", "member_role"}
    assert used.keys() >= {"missing", "small_strata", "weights", "top", "bottom", "zeros_apart", "edits", "blocks"}
    assert used.keys() >= {
        "l_diversity",
        "diversity",
        "alpha",
        "t_closeness",
        "spread",
        "nominal",
        "ordinal",
        "hierarchy",
        "aggregates",
    }


@pytest.mark.parametrize("engine", ["file", "spark"])
@pytest.mark.parametrize("name", CASES)
def test_the_engines_promise_the_same(name: str, engine: str) -> None:
    """Schema, rows, form of ids, notes, refusals; and for one column the values and the certificate: but for the reasons that are listed."""
    case, memory, other = CASES[name], recorded(name)["memory"], recorded(name)[engine]
    refused = refusal(case, engine)
    if refused is not None:
        assert other.get("message") == refused
        return
    allowed = {what for one in REASONS if engine in one.engines and name in one.recipes for what in one.what}
    assert set(differing(case, memory, other)) <= allowed
    if "refused" not in memory:
        assert min(memory["certificate"]["k_achieved"], other["certificate"]["k_achieved"]) >= case.recipe["k"]


@pytest.mark.parametrize("reason", REASONS)
def test_a_reason_is_needed(reason: Reason) -> None:
    found = {
        (engine, what)
        for engine in reason.engines
        for name in reason.recipes
        for what in differing(CASES[name], recorded(name)["memory"], recorded(name)[engine])
    }
    assert {what for _, what in found} >= set(reason.what)
    assert {engine for engine, _ in found} == set(reason.engines)


def test_a_difference_is_named() -> None:
    before = {"schema": {"age": "int64"}, "values": "1f", "notes": []}
    assert differences(before, before) == []
    assert differences(before, before | {"values": "2e"}) == ["values"]
    assert differences(before, before | {"notes": ["k is 2"]}) == ["notes: recorded [], now ['k is 2']"]
    assert differences(before, {"refused": "InputError"})[0] == "notes: recorded [], now None"
