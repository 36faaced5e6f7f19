"""Groups of different colours on a line."""

from __future__ import annotations

from typing import Any

import numpy as np
from style import BLUE, DARK, GREEN, GREY, ORANGE, RED, SKY, canvas, legend

import covey

NAMES = ("flu", "cold", "gout")
SHADES = (BLUE, RED, GREEN)
MARKERS = ("o", "s", "^")


def _points(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return np.sort(np.round(rng.uniform(0, 30, n), 1)), rng.permutation(np.arange(n) % 3)


def _clusters(axes: Any, x: np.ndarray, colours: np.ndarray, objective: str) -> None:
    solution = covey.line.diverse(x, colours, l=2, objective=objective)
    groups = sorted(solution.partition.groups(), key=lambda group: x[group].min())
    for row, members in enumerate(groups):
        axes.plot([x[members].min(), x[members].max()], [row, row], color=GREY, linewidth=1.4)
        for place in members:
            axes.scatter(x[place], row, s=30, marker=MARKERS[colours[place]], color=SHADES[colours[place]], zorder=3)
    axes.set(yticks=[], ylim=(-0.8, len(groups) - 0.2), xlabel="value")
    axes.spines["left"].set_visible(False)
    axes.set_title(f'objective "{objective}": {solution.loss:.1f}', fontsize=10, color=DARK)


def diverse() -> None:
    """The same points by two objectives: groups overlap."""
    figure, axes = canvas(7.2, 3.0, 2)
    x, colours = _points(16, 1)
    for each, objective in zip(axes, ("max", "sum"), strict=True):
        _clusters(each, x, colours, objective)
    entries = [
        (name, {"marker": marker, "color": shade}) for name, marker, shade in zip(NAMES, MARKERS, SHADES, strict=True)
    ]
    legend(figure, entries, loc="outside upper center", ncols=3)


def window() -> None:
    """A state: the leftmost point left, what is taken, and the candidates of the next group."""
    _, axes = canvas(7.2, 1.9)
    x = np.array([2.0, 3.1, 4.0, 5.2, 6.1, 7.4, 8.2, 9.5, 11.0, 12.2, 13.5, 15.0])
    colour = np.array([0, 0, 1, 2, 1, 0, 2, 1, 0, 2, 1, 0])
    taken, first, reach = {0, 2, 4}, 1, 6.6
    axes.axvspan(x[first], x[first] + reach, color=SKY, alpha=0.2)
    for place, value in enumerate(x):
        faded = place in taken
        axes.scatter(
            value,
            0,
            s=70,
            marker=MARKERS[colour[place]],
            color=SHADES[colour[place]],
            alpha=0.2 if faded else 1.0,
            zorder=3,
        )
    for place, text in (
        (0, "taken"),
        (2, "taken"),
        (4, "taken"),
        (first, "p"),
        (3, "first left\nof gout"),
        (7, "first left\nof cold"),
    ):
        bold = {"fontsize": 12, "fontweight": "bold"} if text == "p" else {"fontsize": 8}
        axes.annotate(text, (x[place], 0.25), ha="center", color=DARK, **bold)
    axes.annotate("within the bound D of p", (x[first] + 0.1, -0.55), fontsize=8, color=DARK)
    axes.set(yticks=[], ylim=(-0.8, 1.0), xlabel="value")
    axes.spines["left"].set_visible(False)


def paper() -> None:
    """The table for three colours, seen from the third, and the path of an optimum through it."""
    _, axes = canvas(5.4, 4.0)
    x = np.array([1.0, 1.5, 3.0, 4.0, 6.0, 6.5, 8.0, 9.0, 11.0, 11.5])
    colour = np.array([0, 1, 2, 0, 1, 2, 0, 2, 0, 1])
    solution = covey.line.diverse(x, colour, l=2, objective="sum", method="paper")
    groups = sorted(solution.partition.groups(), key=lambda group: x[group].min())
    place = np.cumsum([[0, 0, 0], *[np.bincount(colour[group], minlength=3) for group in groups]], axis=0)
    axes.scatter(*np.meshgrid(range(5), range(4)), s=14, color=GREY)
    axes.plot(*place[:, :2].T, color=BLUE, marker="o", linewidth=1.6)
    for (i, j, third), group in zip(place[1:], groups, strict=True):
        members = ", ".join(f"{value:g}" for value in x[group])
        text = f"{{{members}}}\nthird: {third}"
        axes.annotate(text, (i, j), xytext=(7, -22), textcoords="offset points", fontsize=8, color=DARK)
    axes.set(xticks=range(5), yticks=range(4), xlim=(-0.3, 5.9), ylim=(-0.4, 3.4))
    axes.set(xlabel="points of the first colour that are grouped", ylabel="points of the second colour")


def milp() -> None:
    """Which largest spans are possible: the question that is asked again and again."""
    _, axes = canvas(7.0, 1.9)
    x, colours = _points(24, 3)
    least = covey.line.diverse(x, colours, l=3, method="milp").loss
    spans = np.unique(np.round(x[:, None] - x[None, :], 6))
    spans = spans[(spans > 0) & (spans < 2.2 * least)]
    low, high, asked = 0, len(spans) - 1, []
    while low <= high:
        middle = (low + high) // 2
        asked.append(middle)
        low, high = (low, middle - 1) if spans[middle] >= least - 1e-9 else (middle + 1, high)
    axes.scatter(spans, np.zeros(len(spans)), s=10, color=[BLUE if span >= least - 1e-9 else ORANGE for span in spans])
    for step, place in enumerate(asked, start=1):
        axes.annotate(str(step), (spans[place], 0.06 + 0.1 * (step % 4)), ha="center", fontsize=8, color=DARK)
    axes.axvline(least, color=BLUE, linewidth=1)
    axes.set(yticks=[], ylim=(-0.2, 0.75), xlabel="realised distances; numbers: the order in which they are asked")
    axes.spines["left"].set_visible(False)
    legend(
        axes,
        [("a grouping exists", {"marker": "o", "color": BLUE}), ("none", {"marker": "o", "color": ORANGE})],
        loc="upper left",
        ncols=2,
    )
