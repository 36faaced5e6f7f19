"""Which groups each search looks at: the cells of the matrix of starts and ends that it asks the cost for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from style import BLUE, DARK, GREY, RED, canvas, legend

import covey

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

K, N = 5, 62


class Watched:
    """The sum of squares, which remembers what it was asked."""

    ordered_minimisable = splitting_is_beneficial = concave = True

    def __init__(self) -> None:
        self.asked: list[tuple[int, int]] = []

    def loss(self, group: NDArray[np.float64]) -> float:
        return float(((group - group.mean()) ** 2).sum())

    def representative(self, group: NDArray[np.float64]) -> float:
        return float(group.mean())

    def over(self, values: NDArray[np.float64]) -> Callable[[int, int], float]:
        def loss(start: int, stop: int) -> float:
            self.asked.append((start, stop))
            return self.loss(values[start:stop])

        return loss


def _draw(search: str) -> None:
    _, axes = canvas(5.2, 4.6)
    cost = Watched()
    rng = np.random.default_rng(3)
    column = np.sort(
        np.concatenate([rng.normal(centre, 1.0, 8) for centre in range(0, 40, 6)] + [rng.uniform(0, 40, 6)])
    )
    solution = covey.solve(column, K, method=covey.line.OptimalLine(cost=cost, search=search))
    cells = np.array(sorted(set(cost.asked)))
    axes.scatter(cells[:, 1], cells[:, 0], s=7, marker="s", color=BLUE, linewidths=0)
    cuts = [0, *np.cumsum([len(group) for group in sorted(solution.partition.groups(), key=lambda g: column[g].min())])]
    axes.scatter(cuts[1:], cuts[:-1], s=34, facecolor="none", edgecolor=RED, linewidth=1.4)
    axes.plot([0, N], [0, N], color=GREY, linewidth=0.6)
    axes.plot([K, N], [0, N - K], color=GREY, linewidth=0.6, linestyle="--")
    axes.set(xlabel="end of the group", ylabel="start of the group", xlim=(0, N + 1), ylim=(N - K + 1, -1))
    axes.set_title(
        f"{search}: {len(cells)} of {N * (N + 1) // 2} groups looked at (n = {N}, k = {K})", fontsize=10, color=DARK
    )
    legend(
        axes,
        [
            ("looked at", {"marker": "s", "color": BLUE, "markersize": 4}),
            ("group of the optimum", {"marker": "o", "color": RED, "markerfacecolor": "none"}),
            ("k records", {"color": GREY, "linestyle": "--"}),
        ],
        loc="lower left",
    )


def classic() -> None:
    _draw("classic")


def simple() -> None:
    _draw("simple")


def simple_plus() -> None:
    _draw("simple+")


def wilber() -> None:
    _draw("wilber")


def galil_park() -> None:
    _draw("galil-park")


def staggered() -> None:
    _draw("staggered")
