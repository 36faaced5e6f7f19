"""All choices of a release that have no place of their own, in groups; each field is made of the description of its choice."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from covey.web.choices import OTHERS, UNITS
from covey.web.ui import ui
from covey.web.views.budgeting import is_worth_showing, what_it_buys
from covey.web.views.elements import folded, sentence
from covey.web.wording import as_sentence, in_words, title_of

if TYPE_CHECKING:
    from covey.recipe.choice import Choice
    from covey.web.session import Session


class Group(NamedTuple):
    """Choices that belong together, and the roles without which they have no effect."""

    title: str
    names: tuple[str, ...]
    roles: tuple[str, ...] = ()


GROUPS = (
    Group("Weight", ("weights", "round_weights"), ("weight",)),
    Group(
        "Units", ("linked", "unit_columns", "merge_roles", "small_units", "max_rows", "refuse_links", "derive"), UNITS
    ),
    Group("More about sensitive columns", ("diversity", "recursive_c", "alpha", "spread"), ("sensitive",)),
    Group("Records that are left out", ("suppress", "suppress_cells")),
    Group("Rules between columns", ("edits",)),
    Group("Amounts of large members", ("p_percent", "dominance", "refuse_own_values")),
    Group("Distances between records", ("scale", "categories", "penalty")),
)
REST = "Other choices"


def more_choices(session: Session) -> None:
    """Show the groups that can have an effect, or in which something was chosen; what is in no group comes last."""
    grouped = {name for group in GROUPS for name in group.names}
    rest = Group(REST, tuple(name for name in OTHERS if name not in grouped))
    for group in (*GROUPS, rest):
        names = [name for name in group.names if name in OTHERS]
        chosen = [name for name in names if session.settings.others.get(name, "").strip()]
        if names and (chosen or not group.roles or not {*group.roles}.isdisjoint(session.roles.values())):
            with folded(group.title + (f": {len(chosen)} chosen" if chosen else "")) as fold:
                for name in names:
                    field = _field(session, name, OTHERS[name])
                    if name == "suppress" and isinstance(field, ui.textarea):
                        what_it_buys(session, field)
                        fold.set_value(is_worth_showing(session))


def _field(session: Session, name: str, chosen: Choice) -> ui.select | ui.textarea:
    """Words to choose from, or a field to type in, with the sentence on it."""
    now = session.settings.others.get(name, "")
    options = in_words(("true", "false") if chosen.form.type is bool else chosen.form.words)
    field: ui.select | ui.textarea
    if options:
        field = ui.select(options, value=now or None, label=title_of(name), clearable=True)
    else:
        hint = (chosen.form.metavar or "").lower().replace("col", "column")
        field = ui.textarea(title_of(name), value=now, placeholder=hint).props("autogrow rows=1 debounce=500")
    field.props("outlined").classes("w-full")
    field.on_value_change(partial(_take, session, name))
    sentence(as_sentence(f"{chosen.sentence} {chosen.more}".strip()))
    return field


def _take(session: Session, name: str, event: object) -> None:
    session.choose(others={**session.settings.others, name: getattr(event, "value", None) or ""})
