"""Every method that can be asked for by name has a page of the same shape, with a picture that can be drawn."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from covey.costs import COSTS
from covey.line.diversity.methods import METHODS as DIVERSE
from covey.line.searches import SEARCHES
from covey.methods import METHODS
from covey.network import METHODS as NETWORK

DOCS = Path(__file__).parent.parent / "docs"
PICTURE = re.compile(r"^\.\. plot:: (\S+) (\w+)\n   :alt: \S", flags=re.MULTILINE)


def pages() -> dict[str, Path]:
    """The page of each method, by what it is called."""
    line, space, network = DOCS / "line", DOCS / "space", DOCS / "network"
    found = {f"cost {name}": line / f"{name}.md" for name in COSTS}
    found |= {f"search {name}": line / f"{name.replace('+', '-plus')}.md" for name in ("auto", *SEARCHES)}
    found |= {f"diverse {name}": line / f"diverse-{name}.md" for name in DIVERSE}
    found |= {f"space {name}": space / f"{name}.md" for name in ("auto", *METHODS) if name != "optimal-line"}
    return found | {f"network {name}": network / f"{name}.md" for name in NETWORK}


PAGES = pages()


@pytest.mark.parametrize("method", PAGES)
def test_it_says_the_same_things(method: str) -> None:
    text = PAGES[method].read_text(encoding="utf-8")
    headings = re.findall(r"^## (.+)$", text, flags=re.MULTILINE)
    for needed in ("Theorem", "Time and memory", "When"):
        assert any(needed in heading for heading in headings), f"the page has no {needed!r}"
    assert re.search(r"^(## )?Source|[.:] Source: ", text, flags=re.MULTILINE)
    assert "```python\n" in text


@pytest.mark.parametrize("method", PAGES)
def test_it_has_a_picture_that_is_described(method: str) -> None:
    found = PICTURE.findall(PAGES[method].read_text(encoding="utf-8"))
    assert found
    for script, function in found:
        tree = ast.parse((DOCS / script).read_text(encoding="utf-8"))
        assert function in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_every_page_is_in_the_contents() -> None:
    contents = (DOCS / "methods.md").read_text(encoding="utf-8").splitlines()
    for folder in ("line", "space", "network", "privacy"):
        assert {f"{folder}/{page.stem}" for page in (DOCS / folder).glob("*.md")} <= set(contents)


def test_every_picture_is_on_a_page() -> None:
    drawn = {pair for page in DOCS.rglob("*.md") for pair in PICTURE.findall(page.read_text(encoding="utf-8"))}
    for script in (DOCS / "pictures").glob("*.py"):
        if script.stem not in {"style", "graphs"}:
            tree = ast.parse(script.read_text(encoding="utf-8"))
            names = {node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name[0] != "_"}
            assert names == {function for place, function in drawn if place == f"pictures/{script.name}"}
