"""The ways through the page, as a user goes them: for the tests, the screenshots and the benchmark."""

from __future__ import annotations

import re
from typing import Any

from tests.web.shown import focused, unseen

LONG = 120_000
"""Milliseconds that a computation may take on a busy machine."""


def enter(context: Any, link: str) -> Any:
    """A new tab of that browser, at the first step."""
    page = context.new_page()
    page.goto(link)
    heading(page, "Open a table or a network").wait_for()
    return page


def heading(page: Any, text: str) -> Any:
    return page.get_by_role("heading", name=text)


def button(page: Any, name: str) -> Any:
    return page.get_by_role("button", name=name)


def open_example(page: Any) -> None:
    """The bundled table, as far as its columns."""
    button(page, "3,000 simulated hospital stays").click()
    heading(page, "What is each column").wait_for(timeout=LONG)


def upload(page: Any, path: Any, kind: int = 0) -> None:
    """Choose a file; kind 0 is a table, 1 a network."""
    page.locator("input[type=file]").nth(kind).set_input_files(path)


def drop(page: Any, name: str, text: str) -> None:
    """Drop a file on the place for tables."""
    made = "([name, text]) => { const all = new DataTransfer(); all.items.add(new File([text], name)); return all; }"
    dropped = page.evaluate_handle(made, [name, text])
    page.locator(".q-uploader").first.dispatch_event("dragover", {"dataTransfer": dropped})
    page.locator(".q-uploader__dnd").first.dispatch_event("drop", {"dataTransfer": dropped})


def choose(page: Any, label: str, option: str) -> None:
    """Choose in a list."""
    page.get_by_role("combobox", name=label).click()
    page.get_by_role("option", name=option, exact=True).last.click()
    page.locator(".q-menu").wait_for(state="detached")


def set_roles(page: Any) -> None:
    """Roles for the bundled table."""
    for column, role in (("visits", "Keep"), ("discharged", "Drop"), ("income", "Drop")):
        choose(page, f"Role of {column}", role)


HEADINGS = {
    "Open": "Open a table or a network",
    "Columns": "What is each column",
    "Protect": "How much protection?",
    "Compare": "Which setting is better?",
    "Release": "Release",
}


def go(page: Any, step: str) -> None:
    """Go to a step and wait until it is there."""
    page.get_by_role("tab", name=step).click()
    heading(page, HEADINGS[step]).first.wait_for()


def preview(page: Any, k: int) -> None:
    """Wait for the preview with that k."""
    achieved = page.locator(".covey-preview").get_by_text(f"k = {k} was asked for")
    achieved.wait_for(timeout=LONG)
    page.locator(".covey-two [role=status]").wait_for(state="detached", timeout=LONG)


def move_k(page: Any, steps: int) -> None:
    """Move k by keyboard."""
    page.get_by_role("slider", name="k by slider").focus()
    for _ in range(abs(steps)):
        page.keyboard.press("ArrowRight" if steps > 0 else "ArrowLeft")


def show_what_budgets_buy(page: Any) -> None:
    """Unfold what is left out, and have the loss computed that a few budgets buy."""
    go(page, "Protect")
    preview(page, 5)
    button(page, "Records that are left out").click()
    button(page, "See what it buys").click()


def few_settings(page: Any) -> None:
    """Leave k = 3 and 10 and the method mdav in the grid."""
    for name in ("5", "20", "auto", "pca"):
        chip = page.locator(".q-chip").filter(has_text=re.compile(rf"^{name}"))
        chip.locator(".q-chip__icon--remove").click()
        chip.wait_for(state="detached")


class Keyboard:
    """One who goes through the page by keyboard, and hears what a screen reader says."""

    def __init__(self, page: Any) -> None:
        self.page, self.devtools = page, page.context.new_cdp_session(page)

    def to(self, role: str, name: str) -> None:
        """Go on to that control. Whatever is met on the way has a name and shows that it is reached."""
        for _ in range(100):
            self.press("Tab")
            here = focused(self.devtools)
            assert here[1], f"{here[0]} without a name before {name}"
            assert not self.page.evaluate(unseen), f"{here} does not show that it is reached"
            if here[0] == role and here[1].startswith(name):
                return
        raise AssertionError(f"{name} was not reached")

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def do(self, name: str, then: str) -> None:
        """Use a button, and wait for a heading."""
        self.to("button", name)
        self.press("Enter")
        self.page.get_by_role("heading", name=re.compile(f"^{re.escape(then)}")).wait_for(timeout=LONG)


def compare(page: Any) -> None:
    page.get_by_role("button", name="Compare", exact=True).click()
    heading(page, "Risk against loss").wait_for(timeout=LONG)


def release(page: Any) -> None:
    button(page, "Make the release").click()
    heading(page, "To hand out").wait_for(timeout=LONG)


def begin_long_release(page: Any) -> Any:
    """Begin a release that will take minutes, by a long search; then choose what is quick again. Returns what shows the run."""
    go(page, "Protect")
    choose(page, "Method", "search")
    go(page, "Release")
    button(page, "Make the release").click()
    running = page.get_by_role("status").filter(has_text="Releasing: ")
    running.filter(has_text="grouping").wait_for(timeout=LONG)
    go(page, "Protect")
    choose(page, "Method", "auto")
    return running


def download(page: Any, title: str) -> bytes:
    """The content behind a download button."""
    with page.expect_download() as begun:
        page.get_by_role("link", name=title, exact=True).click()
    content: bytes = begun.value.path().read_bytes()
    return content
