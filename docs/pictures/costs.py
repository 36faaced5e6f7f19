"""The costs on the same column: the groups of the least loss, and the value that each publishes."""

from __future__ import annotations

import numpy as np
from style import COLOURS, DARK, GREY, canvas

import covey
from covey.costs import find_cost

COLUMN = np.array([1, 2, 2.5, 4, 6, 6.5, 9, 9.5, 10, 15, 16, 18, 21, 30.0])


def _draw(name: str) -> None:
    figure, axes = canvas(7.0, 2.1)
    solution = covey.solve(COLUMN, 3, cost=name)
    for number, members in enumerate(solution.partition.groups()):
        colour, values = COLOURS[number % len(COLOURS)], COLUMN[members]
        published = find_cost(name).representative(values)
        for step, value in enumerate(values):
            height = 0.25 + 0.16 * step
            axes.plot([value, published], [height, height], color=colour, linewidth=1.6)
            axes.plot([value, value], [0, height], color=GREY, linewidth=0.5, linestyle=":")
        axes.scatter(values, np.zeros(len(values)), color=colour, s=26, zorder=3)
        top = 0.35 + 0.16 * len(values)
        axes.plot([published, published], [0, top], color=colour, linewidth=2.2)
        axes.annotate(f"{published:.4g}", (published, top), ha="center", va="bottom", fontsize=8, color=DARK)
    axes.set(
        ylim=(-0.12, 1.45),
        yticks=[],
        xlabel=f"value (k = 3); the lines are the distances, the loss is {solution.loss:.4g}",
    )
    axes.spines["left"].set_visible(False)
    figure.suptitle(f"{name}: what is published, above the values of each group", fontsize=10, color=DARK)


def sse() -> None:
    _draw("sse")


def sae() -> None:
    _draw("sae")


def maxdist() -> None:
    _draw("maxdist")


def roundup() -> None:
    _draw("roundup")


def rounddown() -> None:
    _draw("rounddown")


def rounded() -> None:
    _draw("rounded")
