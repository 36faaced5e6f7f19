"""The site builds without a warning, asks no other server for anything, and its reference has every public name."""

from __future__ import annotations

import importlib
import os
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest
from sphinx.util.inventory import InventoryFile

ROOT = Path(__file__).parent.parent
PUBLIC = (
    "covey",
    "covey.line",
    "covey.space",
    "covey.network",
    "covey.network.instances",
    "covey.privacy",
    "covey.io",
    "covey.spark",
)
NOT_OBJECTS = {"__version__", "datasets", "instances", "io", "line", "network", "space", "METHODS"}

pytestmark = pytest.mark.xdist_group("site")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built from a copy of the pages; the gallery is shown and not run, since test_docs.py runs it."""
    folder = tmp_path_factory.mktemp("site")
    made = shutil.ignore_patterns("examples", "generated")
    shutil.copytree(ROOT / "docs", folder / "docs", ignore=made)
    (folder / "benchmarks").symlink_to(ROOT / "benchmarks")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-D", "plot_gallery=0", "docs", "built"]
    environment = os.environ | {"MPLBACKEND": "Agg"}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder / "built"


class Sources(HTMLParser):
    """The addresses that a page loads by itself. Links that a reader may follow are none of them."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Called for every tag."""
        for name, value in attrs:
            loads = name in ("src", "srcset", "data", "poster") or (name == "href" and tag == "link")
            if loads and value is not None:
                self.found.append(value)


def elsewhere(page: str) -> list[str]:
    """What a page or a style sheet loads from another server."""
    sources = Sources()
    sources.feed(page)
    styles = re.findall(r"""(?:@import\s+|url\()\s*["']?([^"')\s]+)""", page)
    return [one for one in (*sources.found, *styles) if re.match(r"(https?:)?//", one)]


@pytest.mark.parametrize(
    ("page", "loads"),
    [
        ('<script src="https://a.org/b.js"></script>', True),
        ('<link rel="stylesheet" href="//a.org/b.css">', True),
        ('<img src="http://a.org/b.png">', True),
        ('body { background: url("https://a.org/b.png") }', True),
        ('<a href="https://a.org/">there</a> <img src="b.png">', False),
    ],
)
def test_what_is_loaded_from_elsewhere_is_seen(page: str, *, loads: bool) -> None:
    assert bool(elsewhere(page)) == loads


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    pages = [path for path in site.rglob("*") if path.suffix in (".html", ".css")]
    assert len(pages) > 100
    found = {path.name: elsewhere(path.read_text(encoding="utf-8")) for path in pages}
    assert not {name: loaded for name, loaded in found.items() if loaded}


def test_formulas_are_drawn_by_the_browser(site: Path) -> None:
    page = (site / "concepts" / "microaggregation.html").read_text(encoding="utf-8")
    assert "<math" in page
    assert r"\sum" not in page


def test_every_public_name_is_in_the_reference(site: Path) -> None:
    known = InventoryFile.loads((site / "objects.inv").read_bytes(), uri="").data
    names = {name for kind, objects in known.items() if kind.startswith("py:") for name in objects}
    for module in PUBLIC:
        for name in set(importlib.import_module(module).__all__) - NOT_OBJECTS:
            shown = {f"{module}.{name}", f"covey.errors.{name}"}
            assert shown & names, f"{module}.{name}"
