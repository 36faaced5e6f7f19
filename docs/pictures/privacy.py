"""Diversity, closeness and what two releases tell together."""

from __future__ import annotations

import numpy as np
from style import BLUE, DARK, GREEN, GREY, ORANGE, RED, canvas

NAMES = ("asthma", "flu", "gout", "stroke")


def l_diversity() -> None:
    """Three classes with three values each, by the three definitions."""
    figure, axes = canvas(8.2, 2.6, 3)
    classes = ([3, 3, 3, 0], [6, 2, 1, 0], [10, 1, 1, 0])
    for each, numbers in zip(axes, classes, strict=True):
        counts = np.array(numbers)
        share = counts[counts > 0] / counts.sum()
        entropy = float(np.exp(-(share * np.log(share)).sum()))
        largest = np.sort(counts)[::-1]
        each.bar(range(4), counts, color=(BLUE, ORANGE, GREEN, RED), width=0.7)
        each.set_xticks(range(4), NAMES, fontsize=8, rotation=20)
        each.set_title(
            f"distinct {np.count_nonzero(counts)}, entropy {entropy:.1f}\nrecursive (c, 2) for c > {largest[0] / largest[1:].sum():.1f}",
            fontsize=9,
            color=DARK,
        )
        each.set(ylim=(0, 10.5))
    axes[0].set_ylabel("records of the class")
    figure.supxlabel("three classes with three different values each", fontsize=9, color=DARK)


def t_closeness() -> None:
    """The earth mover's distance with ordered values: the area between two cumulative shares."""
    _, axes = canvas(8.2, 2.9, 2)
    whole, group = np.array([0.1, 0.2, 0.3, 0.25, 0.15]), np.array([0.4, 0.3, 0.2, 0.1, 0.0])
    place = np.arange(5)
    axes[0].bar(place - 0.2, whole, width=0.4, color=GREY, label="release")
    axes[0].bar(place + 0.2, group, width=0.4, color=BLUE, label="class")
    axes[0].set(xlabel="stage of a disease", ylabel="share")
    axes[0].legend(frameon=False, fontsize=8)
    axes[0].set_title(f"equal distance: t = {0.5 * np.abs(whole - group).sum():.2f}", fontsize=10, color=DARK)
    first, second = np.cumsum(whole), np.cumsum(group)
    for values, colour in ((first, GREY), (second, BLUE)):
        axes[1].step(np.append(place, 5), np.append(values, 1.0), where="post", color=colour)
    axes[1].fill_between(place, first, second, step="post", color=BLUE, alpha=0.2)
    axes[1].set(xlabel="stage of a disease", ylabel="cumulative share", xlim=(0, 4), ylim=(0, 1.05), xticks=place)
    axes[1].set_title(
        f"ordered distance: the area over {len(place) - 1} steps, t = {np.abs(first - second)[:-1].sum() / 4:.2f}",
        fontsize=10,
        color=DARK,
    )


def likeness() -> None:
    """How much more likely a value becomes."""
    _, axes = canvas(6.6, 2.8)
    p, q = np.array([0.60, 0.30, 0.09, 0.01]), np.array([0.45, 0.30, 0.19, 0.06])
    place = np.arange(4)
    axes.bar(place - 0.2, p, width=0.4, color=GREY, label="whole table: p")
    axes.bar(place + 0.2, q, width=0.4, color=BLUE, label="class: q")
    for x, (before, after) in enumerate(zip(p, q, strict=True)):
        axes.annotate(
            f"gain {max(0.0, (after - before) / before):.1f}\nln ratio {np.log(after / before):+.1f}",
            (x, max(before, after) + 0.01),
            ha="center",
            fontsize=8,
            color=DARK,
        )
    axes.set_xticks(place, NAMES)
    axes.set(ylabel="share", ylim=(0, 0.78))
    axes.legend(frameon=False, fontsize=8)


def together() -> None:
    """Two releases, each with classes of 4: the crossings have fewer."""
    _, axes = canvas(4.6, 3.4)
    first, second = np.repeat([0, 1, 2], 4), np.array([0, 0, 0, 1, 0, 1, 1, 2, 1, 2, 2, 2])
    table = np.zeros((3, 3), dtype=int)
    np.add.at(table, (first, second), 1)
    axes.imshow(np.where(table == 0, 0.0, np.where(table < 4, 1.0, 0.5)), cmap="Oranges", vmin=0, vmax=2)
    for (row, column), number in np.ndenumerate(table):
        axes.annotate(str(number), (column, row), ha="center", va="center", fontsize=13, color=DARK)
    axes.set_xticks(range(3), [f"class {c}" for c in "PQR"])
    axes.set_yticks(range(3), [f"class {c}" for c in "ABC"])
    axes.set(xlabel="second release, classes of 4", ylabel="first release, classes of 4")
    axes.spines[:].set_visible(False)
