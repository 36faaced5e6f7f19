"""What several steps show: cards, figures, messages, what is running."""

from __future__ import annotations

import contextlib
from html import escape
from typing import TYPE_CHECKING

from covey.web.ui import ui
from covey.web.wording import as_sentence, in_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from covey.web.rows import Rows
    from covey.web.runs import Run
    from covey.web.sentences import Figure


@contextlib.contextmanager
def card(title: str, level: int = 2) -> Iterator[ui.card]:
    """A card with a heading."""
    with ui.card().classes("covey-card") as shown:
        heading(title, level)
        yield shown


def heading(text: str, level: int = 2) -> None:
    """A heading that screen readers know for one."""
    ui.label(text).classes("covey-title").props(f'role=heading aria-level="{level}" tabindex=-1')


def sentence(text: str, more: str = "covey-muted") -> ui.label:
    """A sentence that explains."""
    return ui.label(text).classes(more)


def action(text: str, icon: str, do: Callable[[], object] | None = None, *, main: bool = False) -> ui.button:
    """A button; the main one of a card is filled."""
    button = ui.button(text, icon=icon, on_click=do)
    return button.props("text-color=on-primary" if main else "outline")


def whole(title: str, now: int | None, least: int) -> ui.number:
    """A field for a whole number."""
    return ui.number(title, value=now, min=least, precision=0, format="%d")


def choice(title: str, sentences: Mapping[str, str], now: str, choose: Callable[[str], object]) -> None:
    """One of several, with the sentence on the one that is chosen."""
    chosen = ui.select(in_words(sentences), value=now, label=title).props("outlined").classes("w-full")
    meaning = sentence(sentences[now])

    def changed() -> None:
        meaning.set_text(sentences[chosen.value])
        choose(chosen.value)

    chosen.on_value_change(changed)


def download(text: str, address: str, file: str) -> None:
    """A button that is a link to a file, whose address is relative to that of the page."""
    link = action(text, "download").props("tag=a")
    link.props["href"], link.props["download"] = address, file


def message(text: str) -> None:
    """What went wrong, said where everybody hears it."""
    if text:
        with ui.row().classes("items-start no-wrap").props("role=alert"):
            ui.icon("error_outline").classes("covey-bad text-xl")
            sentence(as_sentence(text), "covey-bad")


def folded(title: str) -> ui.expansion:
    """What is shown when its title is chosen."""
    fold = ui.expansion(title).classes("w-full covey-folded")
    fold.props["toggle-aria-label"] = title
    return fold


def show_rows(title: str, rows: Rows) -> None:
    """Rows of a table as they stand in a file. They can be scrolled by keyboard."""
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in rows.names)
    body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows.cells)
    table = f'<table class="covey-table" aria-label="{escape(title)}"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
    shown = ui.html(table, sanitize=False).classes("covey-rows w-full").props("role=region tabindex=0")
    shown.props["aria-label"] = title


def show_figures(shown: Sequence[Figure]) -> None:
    """Numbers, each with its sentence."""
    with ui.element("div").classes("covey-figures"):
        for figure in shown:
            with ui.column().classes("gap-1"):
                sentence(figure.title)
                ui.label(figure.value.replace(" %", "\u00a0%")).classes("covey-figure")
                sentence(figure.sentence)


def running(run: Run, cancel: Callable[[], object]) -> None:
    """What is running, with a button to end it. The text follows the run."""
    with ui.row().classes("items-center w-full no-wrap"):
        bar = ui.linear_progress(run.share or 0.0, show_value=False).props(
            "rounded instant-feedback aria-label=Progress"
        )
        bar.props("indeterminate" if run.share is None else "")
        said = ui.label(run.said).classes("whitespace-nowrap").props("role=status")
        seconds = ui.label(f"{run.seconds:.0f} s").classes("covey-muted whitespace-nowrap")
        ui.button("Cancel", on_click=cancel).props("outline dense")

    def follow() -> None:
        said.set_text(run.said)
        seconds.set_text(f"{run.seconds:.0f} s")
        if run.share is None:
            bar.props("indeterminate")
        else:
            bar.props(remove="indeterminate")
            bar.set_value(run.share)

    ui.timer(0.2, follow)
