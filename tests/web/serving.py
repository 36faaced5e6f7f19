"""`covey web` in a process of its own, and Debian's chromium: for the tests, the screenshots and the benchmark."""

from __future__ import annotations

import contextlib
import gc
import os
import queue
import re
import subprocess
import sys
import threading
import warnings
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

START = "from covey.cli import run; run()"
ALONE = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"


class Served:
    """A page that is being served. Every link is good once; the server prints another one each time."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.said: list[str] = []
        self._links: queue.Queue[str] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.said.append(line)
            found = re.search(r"http://\S+\?token=\S+", line)
            if found:
                self._links.put(found[0])

    def link(self) -> str:
        """A link that lets one browser in."""
        return self._links.get(timeout=60)

    def end(self) -> int:
        """End it like a user who closes the terminal; its exit code."""
        self.process.terminate()
        code = self.process.wait(30)
        self._reader.join(10)
        if self.process.stderr is not None:
            self.process.stderr.close()
        return code


def home(link: str, answer: str) -> str:
    """The address of the page for the browser that got that answer to a link."""
    led = re.search(r'content="0;url=(/[^"]+/)"', answer)
    assert led is not None
    return link.partition("/?")[0] + led[1]


@contextlib.contextmanager
def served(folder: Path, *arguments: str, **environment: str) -> Iterator[Served]:
    """Serve the page, with its temporary files in that folder, which is also where it is started.

    It opens no browser, unless one is named among the variables (BROWSER).
    """
    silent = [] if "BROWSER" in environment else ["--no-browser"]
    command = [sys.executable, "-c", START, "web", *silent, *arguments]
    told = os.environ | {"COVEY_LEDGER": "off", "TMPDIR": str(folder)} | environment
    process = subprocess.Popen(command, cwd=folder, env=told, stderr=subprocess.PIPE, text=True)
    page = Served(process)
    try:
        yield page
    finally:
        if process.poll() is None:
            page.end()


@contextlib.contextmanager
def chromium(program: str) -> Iterator[Any]:
    """A headless browser that reaches this machine and nothing else."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", ALONE])
        try:
            yield browser
        finally:
            browser.close()
    with warnings.catch_warnings():  # the pipes to its driver are left to the collector
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()
