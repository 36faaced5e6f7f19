"""One column of the second step: its role, what is in doubt about it, and what can be said of its values."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from covey.columns.aggregation import aggregates_for
from covey.recipe.texts import names, plain
from covey.web.choices import AT_COLUMN, ROLES
from covey.web.drawings import bars
from covey.web.kinds import AMOUNTS, CODES, DATES, FORMS, KINDS, ORDERED, found_kind, kind_of, offered_kinds
from covey.web.problems import problems
from covey.web.ui import ui
from covey.web.views.elements import choice, folded, sentence
from covey.web.views.hierarchy import hierarchy_field

if TYPE_CHECKING:
    from collections.abc import Callable

    from covey.columns.profile import Column
    from covey.web.session import Session

NAMES = {role: title for role, (title, _) in ROLES.items()}


def column_row(
    session: Session, column: Column, tick: Callable[[str, bool], None], follow: Callable[[], object]
) -> None:
    """Show a column; `tick` hears whether it is ticked, `follow` that something was decided about it."""
    with ui.element("div").classes("covey-column").props("role=group") as place:
        place.props["aria-label"] = column.name
        ticked = ui.checkbox(value=column.name in session.shelf.ticked)
        ticked.props("dense").props["aria-label"] = f"Tick {column.name}"
        ticked.on_value_change(lambda: tick(column.name, bool(ticked.value)))
        _facts(column)
        role = ui.select(NAMES, value=session.roles[column.name], label=f"Role of {column.name}")
        role.props("outlined dense options-dense")
        below = ui.element("div").classes("covey-reason")

    def decided() -> None:
        """Something was decided: say what is in doubt now, and offer what belongs to it. The keyboard goes on at the role."""
        role.run_method("focus")
        role.set_value(session.roles[column.name])
        below.clear()
        with below:
            _below(session, column, decided)
        follow()

    def give() -> None:
        if role.value != session.roles[column.name]:
            session.give(column.name, role.value)
            decided()

    role.on_value_change(give)
    with below:
        _below(session, column, decided)


def _facts(column: Column) -> None:
    ui.label(column.name).classes("font-bold")
    ui.label(column.type)
    for word, number in (("different", column.distinct), ("missing", column.missing)):
        with ui.element("div").classes("covey-number"):
            ui.label(f"{number:,}").classes("inline")
            ui.label(f" {word}").classes("covey-small")
    shape = f"the shape of {column.name}: {len(column.bars)} bars"
    ui.html(bars(column.bars, shape), sanitize=False)


def _below(session: Session, column: Column, decided: Callable[[], None]) -> None:
    """The sentence on the role, what is in doubt, and what can be said of the values."""
    role, suggestion = session.roles[column.name], session.suggestions[column.name]
    sentence(f"{ROLES[role][1]} Suggested: {NAMES[suggestion.role]}, because {suggestion.reason}.")
    for problem in problems(column, role, session.settings, session.previews.exposed):
        with ui.element("div").classes("covey-problem").props("role=alert" if problem.must else "role=note"):
            sentence(problem.sentence, "covey-bad" if problem.must else "covey-muted")
            with ui.row().classes("gap-2"):
                for repair in problem.repairs:
                    button = ui.button(repair.title, on_click=partial(_repair, session, column, repair, decided))
                    button.props("outline dense no-caps").props["aria-label"] = f"{column.name}: {repair.title}"
    if role == "drop" or not offered_kinds(column):
        return
    now = kind_of(session.settings, column)
    with folded(f"Values: {now}" + (", as you said" if now != found_kind(column) else "")) as more:
        inside = ui.column().classes("w-full gap-2")

    def turn() -> None:
        (session.shelf.opened.add if more.value else session.shelf.opened.discard)(column.name)
        if more.value and not inside.default_slot.children:
            with inside:
                _details(session, column, decided)

    more.props["toggle-aria-label"] = f"{column.name}. {more.text}"
    more.on_value_change(turn)
    more.set_value(column.name in session.shelf.opened)


def _repair(session: Session, column: Column, repair: object, decided: Callable[[], None]) -> None:
    session.repair(column, repair)  # type: ignore[arg-type]
    decided()


def _details(session: Session, column: Column, decided: Callable[[], None]) -> None:
    """What the values are, which stand for a missing one, and what becomes of them in a group."""
    now, name = kind_of(session.settings, column), column.name

    def take(kind: str) -> None:
        session.set_kind(column, kind)
        decided()

    choice(f"Values of {name}", {kind: KINDS[kind] for kind in offered_kinds(column)}, now, take)
    if now == ORDERED:
        _order(session, column)
    if now == DATES and found_kind(column) != DATES:
        form = str(session.settings.of("dates", name))
        forms = list(dict.fromkeys((form, *column.forms, *FORMS)))
        written = ui.select(forms, value=form, label=f"How the days of {name} are written").props("outlined dense")
        written.on_value_change(lambda: session.set_choice("dates", name, written.value))
    with ui.element("div").classes("covey-fields"):
        _missing(session, column)
        for field in (_ends, _means, hierarchy_field):
            field(session, column, now)


def _order(session: Session, column: Column) -> None:
    """The categories in their order, one a line; the lowest first."""
    said = session.settings.of("ordinal", column.name)
    lines = "\n".join(map(str, said if isinstance(said, list | tuple) else column.values))
    order = ui.textarea(f"Order of {column.name}, the lowest first, one a line", value=lines)
    order.props("outlined dense autogrow").classes("w-full")
    wrong = sentence("", "covey-bad").props("role=alert")

    def take() -> None:
        given = tuple(line for line in (order.value or "").splitlines() if line.strip())
        missing = [value for value in column.values if value not in given]
        wrong.set_text(f"Each category is needed once; not there yet: {', '.join(missing)}." if missing else "")
        if not missing:
            session.set_choice("ordinal", column.name, given)

    order.on("blur", take)


def _missing(session: Session, column: Column) -> None:
    said = session.settings.of("missing_codes", column.name)
    text = ", ".join(map(str, said)) if isinstance(said, list | tuple) else ""
    field = ui.input("Stand for a missing value", value=text, placeholder="99, unknown").props("outlined dense")
    field.props["hint"] = "Several with commas between them. The table is then read again."
    field.props["aria-label"] = f"Values of {column.name} that stand for a missing one"

    def take() -> None:
        codes = tuple(names([field.value or ""])) or None
        if codes != (tuple(said) if isinstance(said, list | tuple) else None):
            session.set_choice("missing_codes", column.name, codes)

    field.on("blur", take)
    field.on("keydown.enter", take)


def _ends(session: Session, column: Column, now: str) -> None:
    """Where amounts are cut off, and whether zeros stay zeros."""
    if now not in (AMOUNTS, DATES) or not _has_effect(session, column, "top"):
        return
    for name, title, hint in (
        ("top", "Highest value told apart", "A value, or a share such as 99%: what is above is moved there."),
        ("bottom", "Lowest value told apart", "A value, or a share such as 1%: what is below is moved there."),
    ):
        _typed(session, column, name, title, hint)
    if now == AMOUNTS:
        _typed(
            session,
            column,
            "grid",
            "Rounded to multiples of",
            "Such as 0.1 degrees; places are published on a grid only.",
        )
        zeros = ui.checkbox("Zeros stay zeros")
        zeros.props["aria-label"] = f"Zeros of {column.name} stay zeros"
        zeros.set_value(session.settings.of("zeros_apart", column.name) is not None)
        zeros.on_value_change(lambda: session.set_choice("zeros_apart", column.name, True if zeros.value else None))


def _means(session: Session, column: Column, now: str) -> None:
    """What a group publishes, with how many decimals, and how much the column counts."""
    if not _has_effect(session, column, "aggregates") or now not in (AMOUNTS, DATES, ORDERED, CODES):
        return
    known = aggregates_for("float" if now in (AMOUNTS, DATES) else "ordinal" if now == ORDERED else "nominal")
    if len(known) > 1:
        said = session.settings.of("aggregates", column.name)
        what = ui.select(list(known), value=said or known[0], label="What a group publishes")
        what.props("outlined dense").props["aria-label"] = f"What a group publishes of {column.name}"
        what.on_value_change(
            lambda: session.set_choice("aggregates", column.name, None if what.value == known[0] else what.value)
        )
    if now == AMOUNTS and column.type == "numbers":
        _typed(session, column, "decimals", "Decimals", "By default as many as at least k records have.")
    _typed(session, column, "importance", "How much it counts", "1 unless given; 2 doubles its squared differences.")


def _has_effect(session: Session, column: Column, name: str) -> bool:
    return session.roles[column.name] in AT_COLUMN[name]


def _typed(session: Session, column: Column, name: str, title: str, hint: str) -> None:
    """A field for a number, a date or a share, which is taken when it is left."""
    said = session.settings.of(name, column.name)
    field = ui.input(title, value="" if said is None else str(said)).props("outlined dense")
    field.props["hint"], field.props["aria-label"] = hint, f"{title}: {column.name}"

    def take() -> None:
        text = (field.value or "").strip()
        value = plain(text) if text else None
        if value != session.settings.of(name, column.name):
            session.set_choice(name, column.name, value)

    field.on("blur", take)
    field.on("keydown.enter", take)
