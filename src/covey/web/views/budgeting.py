"""What leaving records out buys, beside the field for the budget: computed when asked for, drawn, and chosen by a point or a slider."""

from __future__ import annotations

import itertools
from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING

from covey.errors import CoveyError
from covey.web.budgets import SHARES, Bought, Budget, curve, without_budget
from covey.web.ui import ui
from covey.web.views.elements import action, message, running, sentence

if TYPE_CHECKING:
    from collections.abc import Callable

    from nicegui.events import GenericEventArguments

    from covey.web.session import Session

LOOK = 0.2
FOCUS = (
    "if (document.activeElement === document.body) "
    "document.querySelector('.covey-bought input, .covey-bought button')?.focus({preventScroll: true})"
)
"""What had the keyboard is built anew: it goes on at the slider, or at what can be done meanwhile."""
POINT = "(event) => { const at = event.target.dataset.place; if (at !== undefined) emit(at) }"
SLIDER = "(event) => { const at = event.target; at.setAttribute('aria-valuetext', at.dataset.words.split('|')[at.value]); emit(at.value) }"


def is_here(session: Session) -> bool:
    """Whether budgets are being tried, and the step that shows it is shown."""
    return session.run is not None and session.step == session.run.at == "protect"


def is_worth_showing(session: Session) -> bool:
    """Whether there is a curve, or one is being made: then it is not folded away."""
    return is_here(session) or _fitting(session) is not None


def what_it_buys(session: Session, field: ui.textarea) -> None:
    """Show what budgets buy; the one that is chosen goes into the field."""
    followers: list[Callable[[], object]] = []

    @ui.refreshable
    def shown() -> None:
        followers.clear()
        followers.extend(_shown(session, field))

    def typed() -> None:
        for follow in followers:
            follow()

    def state() -> tuple[object, ...]:
        return (
            session.run if is_here(session) else None,
            session.message,
            session.bought,
            _fitting(session) is None,
        )

    group = ui.column().classes("covey-bought w-full gap-2")
    with group.props('role=group aria-label="What leaving records out buys"'):
        shown()
    field.on_value_change(typed)
    seen = [state()]

    def look() -> None:
        if state() != seen[0]:
            seen[0] = state()
            shown.refresh()
            ui.run_javascript(FOCUS)

    ui.timer(LOOK, look)


def _fitting(session: Session) -> Bought | None:
    bought = session.bought
    return bought if bought is not None and bought.fits(session.settings, session.roles) else None


def _shown(session: Session, field: ui.textarea) -> list[Callable[[], object]]:
    """Show what there is; returns what follows the field."""
    bought = _fitting(session)
    followers = []
    if session.run is not None and is_here(session):
        running(session.run, session.cancel)
    elif bought is not None:
        followers.append(_curve(session, field, bought))
    else:
        sentence(
            "A few unusual records often cost most of the loss. See what the others would lose if at most so many were left out, then choose."
            if session.bought is None
            else "Something else was changed since the curve was drawn: see again."
        )
        action("See what it buys", "show_chart", lambda: _start(session))
    message(session.message)
    return followers


def _start(session: Session) -> None:
    settings, roles = without_budget(session.settings), dict(session.roles)
    try:
        if session.run is not None:
            session.tell("something is still running; wait until it is done, or cancel it")
            return
        recipe = session.decided(replace(settings, others={**settings.others, "suppress": SHARES[0]}))
    except CoveyError as error:
        session.tell(str(error))
        return

    def take_over(budgets: tuple[Budget, ...]) -> None:
        session.bought = Bought(budgets, session.sampled, settings, roles)

    session.start("Trying budgets", "budgets", session.previews.sample, recipe, then=take_over)


def _curve(session: Session, field: ui.textarea, bought: Bought) -> Callable[[], object]:
    """The drawing, the slider below it, the chosen budget in a sentence, and the same as a table; returns what follows the field."""
    turns = itertools.count(1)

    def now() -> int | None:
        return bought.place_of(session.settings.others.get("suppress", ""))

    drawn = ui.html(curve(bought.budgets, now()), sanitize=False).classes("covey-curve w-full")
    slider = ui.html(_slider(bought, now(), 0), sanitize=False).classes("covey-under-curve w-full")
    chosen = sentence(bought.said(now()), "covey-strong").props("role=status")

    def take(event: GenericEventArguments) -> None:
        field.set_value(bought.budgets[int(event.args)].asked)

    def follow() -> None:
        drawn.set_content(curve(bought.budgets, now()))
        chosen.set_text(bought.said(now()))

    def clicked(event: GenericEventArguments) -> None:
        take(event)
        slider.set_content(_slider(bought, now(), next(turns)))

    drawn.on("click", clicked, js_handler=POINT)
    slider.on("input", take, js_handler=SLIDER)
    _table(bought)
    if session.is_sampled:
        sentence(f"Tried on {bought.records:,} of {session.rows:,} records.")
    return follow


def _slider(bought: Bought, place: int | None, turn: int) -> str:
    """The slider; another turn is another text, so that the browser takes it though it has been there before."""
    words = [bought.said(one) for one in range(len(bought.budgets))]
    at = place or 0
    return (
        f'<input type="range" class="covey-range" aria-label="Records to leave out, by slider" min="0" max="{len(words) - 1}" value="{at}" '
        f'aria-valuetext="{escape(words[at])}" data-words="{escape("|".join(words))}" data-turn="{turn}">'
    )


def _table(bought: Bought) -> None:
    head = ("May be left out", "Left out", "Others lose, %", "With those lost, %")
    rows = [
        (budget.title, f"{budget.left_out:,}", f"{budget.loss:.2f}", f"{budget.loss_with_them:.2f}")
        for budget in bought.budgets
    ]
    names = "".join(f'<th scope="col">{escape(name)}</th>' for name in head)
    body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    table = f'<table class="covey-table covey-mini" aria-label="What leaving records out buys"><thead><tr>{names}</tr></thead><tbody>{body}</tbody></table>'
    ui.html(table, sanitize=False).classes("w-full")
    sentence(
        "In percent of the differences between all records, by the grouping alone. The last column counts each record that is left out as lost. "
        "A budget is an upper limit; one of fewer than k records is not offered."
    )
