"""Where the engines differ in what they make of the 77 recipes: all of it, each with its reason."""

from __future__ import annotations

from typing import Any, NamedTuple

from covey.recipe.engines import Engine, Wish, check_engine
from covey.recipe.recipe import Recipe
from tests.contract.recipes import CASES, Case

OWN_VALUES = "some groups give a member away"
COMPARED = ("schema", "rows", "ids", "notes", "refused", "message")
OF_ONE_COLUMN = ("certificate", "values")
"""What must be the same where one column is grouped: optimal groups are optimal in every engine."""


class Reason(NamedTuple):
    """Why an engine may differ from memory, and in what."""

    engines: tuple[str, ...]
    what: tuple[str, ...]
    recipes: tuple[str, ...]
    why: str


SEARCHED = (
    "groups under a requirement come from a search among coordinates, whose scale differs in its last bits where moments are added up "
    "in parts, and from the order of the rows, which is another on a cluster"
)
NAMED = "who leaves is chosen among those that pieces name, by what was seen to be saved there; in memory, all groups are made again for each choice"
OF_TEXT = tuple(name for name, case in CASES.items() if case.text)
REASONS = (
    Reason(
        ("spark",),
        ("schema", "notes"),
        OF_TEXT,
        "the recipe is for a CSV file, and a cluster gets the table itself: its types, and nothing that was noticed while reading and writing text",
    ),
    Reason(("spark",), ("schema",), ("dictionaries",), "Spark has no dictionaries: their text is published"),
    Reason(
        ("file", "spark"),
        ("values", "certificate"),
        ("entropy", "recursive"),
        SEARCHED,
    ),
    Reason(
        ("spark",),
        ("values",),
        ("closeness-ordered",),
        SEARCHED,
    ),
    Reason(("file", "spark"), ("values",), ("left-out-line",), NAMED),
    Reason(("file", "spark"), ("rows", "notes"), ("units-left-out",), NAMED),
)


def refusal(case: Case, engine: str) -> str | None:
    """The error for what an engine cannot do, by the table of `covey.recipe.engines`."""
    try:
        check_engine(Engine(engine), Wish(Recipe.from_dict(case.recipe)))
    except ValueError as error:
        return str(error)
    return None


def differing(case: Case, memory: dict[str, Any], other: dict[str, Any]) -> list[str]:
    """In what an engine differs from memory; notes as sets, and those on own values, which hang on the groups, aside."""
    compared = COMPARED + (OF_ONE_COLUMN if len(case.choices["quasi"]) == 1 else ())
    return [what for what in compared if _facts(memory, what) != _facts(other, what)]


def _facts(observed: dict[str, Any], what: str) -> Any:
    if what == "notes":
        return {note for note in observed.get("notes", []) if not note.startswith(OWN_VALUES)}
    return observed.get(what)
