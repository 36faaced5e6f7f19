"""Makes the screenshots of docs/web.md, going the same ways as the tests.

usage: python -m tests.web.screenshots [FOLDER]
"""

from __future__ import annotations

import io
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from PIL import Image

from tests.web import walk
from tests.web.serving import chromium, served

HERE = Path(__file__).parent.parent.parent / "docs" / "images"
STILL = 600
"""Milliseconds until nothing moves any more."""
COLOURS = 256
"""As many as a small file can name; no eye sees the difference."""


def take(page: Any, folder: Path, name: str) -> None:
    page.mouse.move(0, 0)
    page.wait_for_timeout(STILL)
    shot = Image.open(io.BytesIO(page.screenshot(full_page=True))).convert("RGB")
    shot.quantize(COLOURS).save(folder / f"web-{name}.png", optimize=True)
    print(f"web-{name}.png", flush=True)  # noqa: T201


def table(page: Any, folder: Path) -> None:
    """All steps of a table, light; then one in the dark and one on a phone."""
    take(page, folder, "open")
    walk.open_example(page)
    walk.set_roles(page)
    take(page, folder, "columns")
    walk.go(page, "Protect")
    walk.preview(page, 5)
    take(page, folder, "protect")
    walk.go(page, "Compare")
    walk.compare(page)
    take(page, folder, "compare")
    walk.go(page, "Release")
    walk.release(page)
    take(page, folder, "release")
    page.emulate_media(color_scheme="dark")
    walk.go(page, "Protect")
    page.set_viewport_size({"width": 390, "height": 780})
    take(page, folder, "phone")


def network(page: Any, folder: Path) -> None:
    page.emulate_media(color_scheme="dark")
    walk.button(page, "240 simulated people who meet").click()
    walk.heading(page, "Clusters of a network").wait_for(timeout=walk.LONG)
    page.get_by_label("Seconds to look for better clusters", exact=True).fill("5")
    page.get_by_role("switch", name="The edges inside connect each cluster").click()
    walk.release(page)
    take(page, folder, "network")


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
    folder.mkdir(parents=True, exist_ok=True)
    program = shutil.which("chromium") or "/usr/bin/chromium"
    with tempfile.TemporaryDirectory() as private, served(Path(private)) as server, chromium(program) as browser:
        for way in (table, network):
            context = browser.new_context(viewport={"width": 1180, "height": 700})
            way(walk.enter(context, server.link()), folder)
            context.close()


if __name__ == "__main__":
    main()
