"""What leaving records out buys: the loss for each of a few budgets, on the records that previews look at; its words and its drawing."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import partial
from html import escape
from typing import TYPE_CHECKING

from covey.errors import InfeasibleError
from covey.memory import release
from covey.web.plane import ticks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from covey.io import Loaded
    from covey.recipe.recipe import Recipe
    from covey.web.choices import Settings
    from covey.web.worker import Tell

SHARES = ("0.2%", "0.5%", "1%", "2%", "5%")
"""The budgets that are tried, where they are at least k records: most of what can be bought costs little."""
LEFT, RIGHT, HIGHEST, LOWEST = 40, 300, 24, 130
"""Where the drawing has its points, of 320 by 172."""


@dataclass(frozen=True)
class Budget:
    """A budget, as the recipe takes it ("" for none), and what it buys, in percent of the variation of all records."""

    asked: str
    left_out: int
    loss: float
    """What the others lose."""
    loss_with_them: float
    """The same where each record that is left out counts as lost."""

    @property
    def title(self) -> str:
        """The budget as it is said."""
        return self.asked.replace("%", " %") if self.asked else "none"


@dataclass(frozen=True)
class Bought:
    """The budgets that were tried, and the choices that they were tried with."""

    budgets: tuple[Budget, ...]
    records: int
    settings: Settings
    roles: dict[str, str]

    def fits(self, settings: Settings, roles: dict[str, str]) -> bool:
        """Whether nothing but the budget was changed since."""
        return (self.settings, self.roles) == (without_budget(settings), roles)

    def place_of(self, typed: str) -> int | None:
        """Which of the budgets was typed; None for another one."""
        asked = typed.replace(" ", "")
        return next((place for place, budget in enumerate(self.budgets) if budget.asked == asked), None)

    def said(self, place: int | None) -> str:
        """What a budget buys, in a sentence."""
        if place is None:
            return "The budget that is typed above is none of these."
        none, budget = self.budgets[0], self.budgets[place]
        if not budget.asked:
            return f"Nobody is left out, and {none.loss:.2f} % is lost."
        does = "are published without their quasi-identifiers" if self.as_missing else "are not published"
        return (
            f"With {budget.title}, {budget.left_out:,} of {self.records:,} records {does}, and the others lose {budget.loss:.2f} % instead of "
            f"{none.loss:.2f} %."
        )

    @property
    def as_missing(self) -> bool:
        """Whether records stay, without their quasi-identifiers."""
        return self.settings.others.get("suppress_cells") == "true"


def without_budget(settings: Settings) -> Settings:
    """The settings without the budget.

    >>> from covey.web.choices import Settings
    >>> without_budget(Settings(others={"suppress": "1%", "scale": "rank", "alpha": " "})).others
    {'scale': 'rank'}
    """
    kept = {name: text for name, text in settings.others.items() if text.strip() and name != "suppress"}
    return replace(settings, others=kept)


def losses_by_budget(sample: Loaded, recipe: Recipe, tell: Tell) -> tuple[Budget, ...]:
    """Release the sample without the budget of a recipe, and with each of these; those that are fewer than k records are passed over."""
    tell("0 %")
    without = recipe.with_changes(suppress=None, suppress_cells=False)
    loss = release(sample, recipe=without, measuring=False, ledger=False).report.groups[0].loss_percent
    tried, refused = [Budget("", 0, loss, loss)], None
    for place, share in enumerate(SHARES, 1):
        hear = partial(_tell_share, tell, place)
        hear("leaving records out: 0 %")
        asked = recipe.with_changes(suppress=share)
        try:
            bought = release(sample, recipe=asked, measuring=False, ledger=False, progress=hear).report.left_out
        except InfeasibleError as error:
            refused = error
            continue
        if bought is not None:
            tried.append(Budget(share, bought.records, bought.loss_percent, bought.loss_percent_charged))
    if refused is not None and len(tried) == 1:
        raise refused
    return tuple(tried)


def _tell_share(tell: Tell, place: int, step: str) -> None:
    """How much of all is done: a budget takes most of its time to choose who leaves, and says how much of that is done."""
    percent = re.fullmatch(r"leaving records out: (\d+) %", step)
    if percent is not None:
        tell(f"{round((100 * place + int(percent[1])) / (len(SHARES) + 1))} %")


def curve(budgets: Sequence[Budget], chosen: int | None) -> str:
    """The loss by budget; the chosen one has a ring. Points know their place, so that a click can be told.

    >>> drawn = curve([Budget("", 0, 7.5, 7.5), Budget("1%", 30, 0.25, 38.0)], 1)
    >>> drawn.count('data-place="1"'), drawn.count('class="ring"'), "none 7.50 %, 1 % 0.25 %" in drawn
    (1, 1, True)
    """
    losses = ticks(max(0.1, *(budget.loss for budget in budgets)))

    def height(loss: float) -> float:
        return LOWEST - (LOWEST - HIGHEST) * loss / losses[-1]

    wide = (RIGHT - LEFT) / max(1, len(budgets) - 1)
    points = [(LEFT + wide * place, height(budget.loss)) for place, budget in enumerate(budgets)]
    shapes = [
        f'<line class="{"grid" if loss else "axis"}" x1="{LEFT}" x2="{RIGHT}" y1="{height(loss):.1f}" y2="{height(loss):.1f}"/>'
        + _text(LEFT - 14, height(loss) + 4, f"{loss:g}", "end")
        for loss in losses
    ]
    shapes += [
        _text(4, 11, "lost, %", "start"),
        _text((LEFT + RIGHT) / 2, 168, "records that may be left out", "middle"),
    ]
    shapes.append(f'<polyline class="curve" points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in points)}"/>')
    if chosen is not None:
        shapes.append(f'<circle class="ring" cx="{points[chosen][0]:.1f}" cy="{points[chosen][1]:.1f}" r="10"/>')
    for place, (budget, (x, y)) in enumerate(zip(budgets, points, strict=True)):
        shapes.append(
            f'<circle class="after" cx="{x:.1f}" cy="{y:.1f}" r="5"/>' + _text(x, 150, budget.title, "middle")
        )
        shapes.append(f'<circle data-place="{place}" fill="transparent" cx="{x:.1f}" cy="{y:.1f}" r="16"/>')
    told_by_name = ", ".join(f"{budget.title} {budget.loss:.2f} %" for budget in budgets)
    name = escape(f"Loss by the share of records that may be left out: {told_by_name}")
    return f'<svg viewBox="0 0 320 172" role="img" aria-label="{name}">{"".join(shapes)}</svg>'


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text class="ink" x="{x:.1f}" y="{y:.1f}" font-size="11" text-anchor="{anchor}">{escape(text)}</text>'
