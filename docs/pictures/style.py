"""What the pictures of the method pages share: colours, axes, groups as records tied to what is published.

Colours are those of Okabe and Ito, which people with any colour vision can tell apart. Pictures are drawn when the site
is built; the background is white, so they can be read on a dark page, too.
"""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import LineCollection

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from covey import Partition

BLUE, ORANGE, GREEN, PURPLE, SKY, RED, YELLOW = (
    "#0072b2",
    "#e69f00",
    "#009e73",
    "#cc79a7",
    "#56b4e9",
    "#d55e00",
    "#b8a800",
)
COLOURS = (BLUE, RED, GREEN, PURPLE, ORANGE, SKY, YELLOW)
GREY, DARK = "#9aa0a6", "#3c4043"


def results(name: str) -> list[dict[str, Any]]:
    """The rows of a table of the benchmarks."""
    folder = Path(__file__).resolve().parents[2] / "benchmarks" / "results"
    rows: list[dict[str, Any]] = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))["rows"]
    return rows


def canvas(width: float = 7.0, height: float = 3.4, columns: int = 1) -> tuple[Any, Any]:
    """A figure with one row of axes."""
    figure, axes = plt.subplots(1, columns, figsize=(width, height), layout="constrained", facecolor="white")
    for each in np.atleast_1d(axes):
        each.spines[["top", "right"]].set_visible(False)
    return figure, axes


def bare(axes: Any, title: str = "") -> None:
    """Axes without numbers, for places that have no unit."""
    axes.set_axis_off()
    axes.margins(0.06)
    if title:
        axes.set_title(title, fontsize=10, color=DARK)


def colours(count: int) -> list[str]:
    """As many colours, the seven again and again."""
    return list(itertools.islice(itertools.cycle(COLOURS), count))


def people(n: int = 72, seed: int = 5) -> NDArray[np.float64]:
    """Records in the plane: a dense crowd, a loose one, a row, and some far from all, in z-scores."""
    rng = np.random.default_rng(seed)
    crowd = rng.normal((0.0, 0.0), (0.5, 0.5), (n // 3, 2))
    loose = rng.normal((4.0, 1.5), (1.2, 1.0), (n // 3, 2))
    row = np.column_stack([rng.uniform(-1.0, 5.0, n // 4), rng.normal(4.6, 0.25, n // 4)])
    far = rng.uniform((-2.5, -2.0), (7.0, 6.5), (n - 2 * (n // 3) - n // 4, 2))
    X = np.vstack([crowd, loose, row, far])
    return (X - X.mean(axis=0)) / X.std(axis=0)


def lost(X: NDArray[np.float64], partition: Partition) -> float:
    """The share of the variation that the means of the groups lose, in percent."""
    inside = sum(((X[group] - X[group].mean(axis=0)) ** 2).sum() for group in partition.groups())
    return 100.0 * float(inside) / float(((X - X.mean(axis=0)) ** 2).sum())


def groups(axes: Any, X: NDArray[np.float64], partition: Partition, title: str = "") -> None:
    """Every record tied to the mean of its group, which is what is published: the ties are the loss."""
    for members, colour in zip(partition.groups(), colours(len(partition)), strict=True):
        mean = X[members].mean(axis=0)
        axes.add_collection(LineCollection([[x, mean] for x in X[members]], colors=colour, linewidths=0.9, zorder=1))
        axes.scatter(*X[members].T, s=16, color=colour, zorder=2)
        axes.scatter(*mean, s=42, marker="D", facecolor="white", edgecolor=colour, linewidth=1.4, zorder=3)
    axes.set_aspect("equal")
    bare(axes, f"{title}: {lost(X, partition):.1f} % lost" if title else "")


def path(axes: Any, X: NDArray[np.float64], order: Iterable[int], *, closed: bool = False) -> None:
    """A sequence of records as a line through them, with its start and its end."""
    places = list(order)
    line = X[places + places[:1]] if closed else X[places]
    axes.plot(*line.T, color=GREY, linewidth=0.9, zorder=0)
    if not closed:
        for place, text in ((places[0], "start"), (places[-1], "end")):
            axes.annotate(text, X[place], xytext=(5, 5), textcoords="offset points", fontsize=8, color=DARK)


def legend(axes: Any, entries: Sequence[tuple[str, dict[str, Any]]], **where: Any) -> None:
    """A legend of markers or lines that are described, not drawn."""
    handles = [plt.Line2D([], [], label=text, **{"linestyle": "none", **how}) for text, how in entries]
    axes.legend(handles=handles, frameon=False, fontsize=8, **where)
