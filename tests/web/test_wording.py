"""All sentences that the page can say: none has an option of the command line, and none a parameter where there is a title."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import covey
from covey.recipe.choice import choices_of
from covey.recipe.recipe import Recipe
from covey.web.choices import OTHERS
from covey.web.networks import SENTENCES
from covey.web.wording import TITLES, as_sentence, title_of

ROOT = Path(covey.__file__).parent
NOT_SAID = (
    "commands",
    "cli.py",
    "spark",
    "checking",
    "web/networks.py",
    "web/views/releasing.py",
    "web/server.py",
    "web/gate.py",
    "web/theme.py",
)
"""What the page never says: other ways in, and the commands that it shows as commands (the browser tests read those pages)."""
OPTION = re.compile(r"(?<![\w-])--[a-z]|\(-k\b")


def sentences_of(path: Path) -> list[str]:
    """All texts of a module, with x for what is filled in; docstrings are none."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    documents = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    inside = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in ast.walk(node)} - {
        id(node) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)
    }
    texts = []
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            texts.append("".join(str(part.value) if isinstance(part, ast.Constant) else "x" for part in node.values))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documents | inside:
            texts.append(node.value)
    return texts


def said() -> list[tuple[str, str]]:
    modules = [path for path in sorted(ROOT.rglob("*.py")) if not str(path.relative_to(ROOT)).startswith(NOT_SAID)]
    return [(str(path.relative_to(ROOT)), text) for path in modules for text in sentences_of(path)]


def test_no_sentence_of_the_page_has_an_option_of_the_command_line() -> None:
    all_texts = said()
    with_options = [text for _, text in all_texts if OPTION.search(text)]
    assert len(with_options) > 30  # as the command line says them
    assert [(where, text) for where, text in all_texts if OPTION.search(as_sentence(text))] == []
    described = [choice.text for choice in OTHERS.values()]
    assert [text for text in described if "`" in as_sentence(text) or OPTION.search(as_sentence(text))] == []


def test_every_choice_that_is_no_role_has_a_title() -> None:
    assert choices_of(Recipe).keys() - TITLES.keys() <= {"k", "method", "roles", "entropy"}
    assert len({title_of(name) for name in TITLES}) == len(TITLES)
    assert {title_of(name) for name in SENTENCES}.isdisjoint(SENTENCES)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("k is 1; needed: at least 2", "k is 1; needed: at least 2"),
        ("l_diversity is 1; needed: 2", "Different values in each class (l) is 1; needed: 2"),
        ("strata below k; merge them (small_strata, --small-strata)", "Strata below k; merge them"),
        ("say it: --nominal age or --number age (nominal, number)", "Say it: “Codes” age or “Amounts” age"),
        ("too large; take `covey release --memory`", "Too large; take the command line"),
        ("groups (k = 5) of (alpha, k)-anonymity (see below)", "Groups (k = 5) of (alpha, k)-anonymity (see below)"),
        ("there is no column 'small_strata' here", "There is no column 'small_strata' here"),
        ("small_components=suppress leaves them out", "Small components: suppress leaves them out"),
        ("lower is 1; needed: 2", "Smallest cluster is 1; needed: 2"),
    ],
)
def test_errors_are_said_in_the_words_of_the_page(text: str, shown: str) -> None:
    assert as_sentence(text) == shown
