"""What an engine cannot do is one table: the errors, the guides and the choice of an engine follow it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

import covey
from covey.errors import OptionError
from covey.files.release import fitting_engine
from covey.memory import check_wishes
from covey.recipe.engines import IN_PARTS, LIMITS, MANY_CATEGORIES, Engine, Wish, check_engine
from covey.recipe.recipe import Recipe
from tests.files.tables import people

GUIDES = Path(__file__).parent.parent.parent / "docs" / "guides"
NAMES = {Engine.MEMORY: "memory", Engine.FILE: "files", Engine.SPARK: "Spark"}
EXACT = covey.Measuring(sample=2**62)
WISHES: dict[str, tuple[dict[str, Any], covey.Measuring | None, tuple[Engine, ...]]] = {
    "blocks": ({"blocks": [["a"], ["b"]], "allow_blocks": True}, None, IN_PARTS),
    "few columns": (
        {"k_for": {2: 3}, "quasi": ["a", "b", "c"], "hierarchy": dict.fromkeys("abc", "prefix")},
        None,
        IN_PARTS,
    ),
    "derived": ({"derive": {"n": "count"}, "unit": "u", "random_ids": ["u"]}, None, ()),
    "cut": ({"unit": "u", "random_ids": ["u"], "time": "c", "small_units": "cut"}, None, ()),
    "replicates": ({"weight": "c", "replicate_weights": ["d"]}, None, IN_PARTS),
    "zeros": ({"zeros_apart": ["a"], "top": {"a": 7}}, None, IN_PARTS),
    "quantiles": ({"keep": ["c"], "top": {"c": "99%"}}, None, IN_PARTS),
    "closeness": ({"unit": "u", "sensitive": ["s"], "t_closeness": 0.5}, None, IN_PARTS),
    "order of units": ({"unit": "u", "shuffle": False}, None, IN_PARTS),
    "order": ({"shuffle": False}, None, (Engine.SPARK,)),
    "exact": ({}, EXACT, IN_PARTS),
    "records": ({}, covey.Measuring(records=True), IN_PARTS),
    "domains": ({}, covey.Measuring(domains=("a",)), IN_PARTS),
    "originals": ({}, covey.Measuring(originals=True), IN_PARTS),
    "bound": ({}, covey.Measuring(bound_seconds=1), IN_PARTS),
    "linked units": ({"unit": "u", "linked": True, "member_role": "r"}, None, ()),
    "linked requirements": ({"unit": "u", "random_ids": ["u"], "sensitive": ["s"], "l_diversity": 2}, None, ()),
    "strata": ({"strata": ["c"], "sensitive": ["s"], "l_diversity": 2}, None, ()),
    "nothing": ({"zeros_apart": ["a"], "top": {"b": 7}, "unit": "u"}, covey.Measuring(), ()),
}


@pytest.mark.parametrize("engine", Engine)
@pytest.mark.parametrize("name", WISHES)
def test_an_engine_refuses_what_it_cannot_do(name: str, engine: Engine) -> None:
    choices, measuring, without = WISHES[name]
    recipe = Recipe.from_dict({"k": 3, "quasi": ["a", "b"]} | choices)
    if engine not in without:
        check_wishes(engine, recipe, measuring)
        return
    with pytest.raises(OptionError) as refused:
        check_wishes(engine, recipe, measuring)
    assert str(refused.value) in {limit.message() for limit in LIMITS if engine in limit.engines}


def test_every_limit_is_tried() -> None:
    of_no_recipe = 6  # two tables, three limits of them, and what is seen while the table is read: categories, and kinds of records
    assert len(LIMITS) == of_no_recipe + sum(bool(engines) for *_, engines in WISHES.values())
    for engine in IN_PARTS:
        with pytest.raises(OptionError, match="^two tables that a key links are given"):
            check_engine(engine, Wish(Recipe.from_dict({"k": 3, "quasi": ["a"]}), tables=True))
    check_engine(Engine.MEMORY, Wish(Recipe.from_dict({"k": 3, "quasi": ["a"]}), tables=True))
    with pytest.raises(OptionError, match="the risk of each record is asked for, and two tables"):
        check_wishes(
            Engine.MEMORY,
            Recipe.from_dict({"k": 3, "quasi": ["a"]}),
            covey.Measuring(records=True),
            tables=True,
        )
    assert MANY_CATEGORIES.message("it") == f"it, and {MANY_CATEGORIES.why}; {MANY_CATEGORIES.instead}"


def limits_table(*engines: Engine) -> str:
    """What these engines cannot do, as a table of a guide."""
    several = len(engines) > 1
    heads = ["not possible", *(["with"] if several else []), "why", "what to do"]
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    for limit in LIMITS:
        where = " and ".join(NAMES[engine] for engine in engines if engine in limit.engines)
        if where:
            cells = [limit.choice, *([where] if several else []), limit.why, limit.instead]
            lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("page", "engines"),
    [("scaling.md", IN_PARTS), ("spark.md", (Engine.SPARK,)), ("households.md", (Engine.MEMORY,))],
)
def test_the_guides_have_the_table(page: str, engines: tuple[Engine, ...]) -> None:
    assert limits_table(*engines) in (GUIDES / page).read_text(encoding="utf-8")


def test_a_file_too_large_for_memory_is_refused_with_the_way_to_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "in.parquet"
    pq.write_table(people(), source)
    choices: dict[str, Any] = {"k": 5, "quasi": ["age"], "drop_rest": True, "ledger": False}
    assert covey.release(source, **choices).certificate.k >= 5
    assert fitting_engine(source, tmp_path / "out.csv") is Engine.MEMORY
    monkeypatch.setattr("covey.io.size.available", lambda: 10_000)
    assert fitting_engine(source, tmp_path / "out.csv") is Engine.FILE
    assert fitting_engine(source, tmp_path / "out.xlsx") is Engine.MEMORY
    with pytest.raises(OptionError, match=r"too large .*covey\.release_file\(source, target\)"):
        covey.release(source, **choices)
    assert covey.release(covey.io.read(source), **choices).certificate.k >= 5
