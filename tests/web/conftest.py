"""One server and one browser for all tests of the page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.conftest import need_program
from tests.web.serving import Served, chromium, home, served

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the server is started, and its temporary files lie."""
    return tmp_path_factory.mktemp("served")


@pytest.fixture(scope="session")
def page_server(folder: Path) -> Iterator[Served]:
    with served(folder) as page:
        yield page
        assert page.end() == 0
    assert list(folder.iterdir()) == []  # all uploads and releases of all tests are gone


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Ended after its module: while playwright runs, no other event loop can."""
    with chromium(need_program("chromium", "chromium-browser")) as started:
        yield started


@pytest.fixture
def context(browser: Any, page_server: Served) -> Iterator[Any]:
    """A browser that was let in; it remembers every address that it asks, and what went wrong."""
    made = browser.new_context(viewport={"width": 1280, "height": 900}, accept_downloads=True)
    made.set_default_timeout(15_000)
    asked: list[str] = []
    made.on("request", lambda request: asked.append(request.url))
    link = page_server.link()
    made.asked, made.home = asked, home(link, made.request.get(link).text())
    yield made
    made.close()
    host = link.partition("/?")[0]
    assert [url for url in asked if not url.startswith((host, host.replace("http", "ws"), "data:", "blob:"))] == []


@pytest.fixture
def tab(context: Any) -> Any:
    """A tab at the first step."""
    from tests.web import walk

    return walk.enter(context, context.home)
