"""Grouping on a line: few groups, the time of the kernels, what concave means, streams and anchors."""

from __future__ import annotations

import numpy as np
from style import BLUE, COLOURS, DARK, GREEN, GREY, ORANGE, RED, canvas, legend, results

import covey

K = 4


def optimal() -> None:
    """The least loss for each number of groups."""
    _, axes = canvas(7.0, 2.8)
    column = np.random.default_rng(2).lognormal(3.0, 0.6, 60)
    counts = range(1, len(column) // K + 1)
    least = [covey.solve(column, K, max_groups=count).loss for count in counts]
    axes.plot(counts, least, color=BLUE, marker="o", markersize=4)
    axes.set(xlabel=f"at most so many groups (60 records, k = {K})", ylabel="least sum of squares", yscale="log")


def auto() -> None:
    """Time a record by k, from the benchmarks."""
    _, axes = canvas(7.0, 3.0)
    rows = results("line-speed")
    for data, colour in (("uniform, sorted", BLUE), ("uniform", RED)):
        chosen = sorted((row["k"], row["covey_ns"]) for row in rows if row["kind"] == data and row["n"] == 10**6)
        axes.plot(*zip(*chosen, strict=True), color=colour, marker="o", markersize=4, label=data)
    axes.axvline(20.5, color=GREY, linestyle="--", linewidth=0.8)
    axes.annotate("direct", (19, 1), ha="right", fontsize=8, color=DARK)
    axes.annotate("divide", (22, 1), ha="left", fontsize=8, color=DARK)
    axes.set(xlabel="k", ylabel="nanoseconds a record", xscale="log", ylim=(0, None))
    axes.legend(frameon=False, fontsize=8, title="a million records", title_fontsize=8)


def concave() -> None:
    """Crossing groups cost no more than nested ones."""
    _, (left, right) = canvas(7.0, 2.0, 2)
    values = np.array([1, 2, 4, 5, 8, 9, 12.0])
    cases = ((left, "crossing", ((0, 5), (2, 7))), (right, "nested", ((0, 7), (2, 5))))
    for axes, name, spans in cases:
        axes.scatter(values, np.zeros(len(values)), color=DARK, s=24, zorder=3)
        total = 0.0
        for height, (start, stop) in enumerate(spans, start=1):
            loss = float(((values[start:stop] - values[start:stop].mean()) ** 2).sum())
            total += loss
            axes.plot(
                values[[start, stop - 1]],
                [height, height],
                color=COLOURS[height - 1],
                linewidth=5,
                solid_capstyle="round",
            )
            axes.annotate(f"{loss:.1f}", (values[start], height + 0.25), fontsize=8, color=DARK)
        axes.set(ylim=(-0.4, 3), yticks=[], xlabel=f"{name}: {total:.1f} together (sum of squares)")
        axes.spines["left"].set_visible(False)


def _starts(column: np.ndarray) -> list[int]:
    """Where the last group of the best partition of every prefix starts; -1 where there is none."""
    total, start = [0.0], [-1]
    for end in range(1, len(column) + 1):
        options = []
        for first in range(max(0, end - 2 * K + 1), end - K + 1):
            group = column[first:end]
            options.append((total[first] + float(((group - group.mean()) ** 2).sum()), first))
        best = min(options, default=(np.inf, -1))
        total.append(best[0])
        start.append(best[1])
    return start


def _cuts(start: list[int], end: int) -> list[int]:
    cuts = [end]
    while cuts[-1] > 0:
        cuts.append(start[cuts[-1]])
    return cuts[::-1]


def stream() -> None:
    """The best paths to all live positions, and the cut that they share."""
    _, axes = canvas(7.2, 2.8)
    column = np.sort(np.random.default_rng(8).random(60))
    start, read = _starts(column), 52
    live = range(read - 2 * K + 2, read + 1)
    paths = [_cuts(start, end) for end in live]
    shared = max(set.intersection(*(set(cuts) for cuts in paths)))
    for row, cuts in enumerate(paths):
        inside = [cut for cut in cuts if cut >= 16]
        decided = [cut for cut in inside if cut <= shared]
        axes.plot(inside, [row] * len(inside), color=GREY, linewidth=0.8)
        axes.scatter(inside, [row] * len(inside), s=18, color=ORANGE)
        axes.scatter(decided, [row] * len(decided), s=18, color=BLUE)
    axes.axvline(shared, color=BLUE, linewidth=1.0)
    axes.annotate("decided", (shared - 0.6, len(paths) - 0.3), ha="right", fontsize=9, color=BLUE)
    axes.annotate("not yet", (shared + 0.6, len(paths) - 0.3), fontsize=9, color=DARK)
    axes.set(xlabel=f"position in the stream ({read} records read, k = {K})", yticks=[], ylim=(-0.8, len(paths) + 0.6))
    axes.set_ylabel("best paths to\nthe live positions")
    legend(
        axes,
        [("cut", {"marker": "o", "color": ORANGE}), ("cut that all share", {"marker": "o", "color": BLUE})],
        loc="lower left",
        bbox_to_anchor=(0.0, 1.0),
        ncols=2,
    )


def anchors() -> None:
    """From every start the best ways meet in a cut: the anchor."""
    _, axes = canvas(7.2, 2.8)
    column = np.sort(np.random.default_rng(11).random(90))
    rows = []
    for first in range(2 * K - 1):
        start = _starts(column[first:])
        ends = range(len(column) - 2 * K + 1, len(column) + 1)
        rows.append(set.intersection(*({cut + first for cut in _cuts(start, end - first)} for end in ends)))
    shared = set.intersection(*rows)
    for row, cuts in enumerate(rows):
        axes.plot([min(cuts), max(cuts)], [row, row], color=GREY, linewidth=0.8)
        apart = sorted(cuts - shared)
        axes.scatter(apart, [row] * len(apart), s=18, color=ORANGE)
        axes.scatter(sorted(shared), [row] * len(shared), s=20, color=BLUE)
        axes.scatter(row, row, s=40, marker="|", color=RED)
    axes.axvline(min(shared), color=BLUE, linewidth=1.0)
    axes.set(xlabel=f"position in the part (k = {K})", ylabel="starts", yticks=[], ylim=(-0.8, len(rows) + 0.2))
    legend(
        axes,
        [
            ("start", {"marker": "|", "color": RED, "markersize": 9}),
            ("cut from this start, whatever follows", {"marker": "o", "color": ORANGE}),
            ("shared by all starts: an anchor", {"marker": "o", "color": BLUE}),
        ],
        loc="lower left",
        bbox_to_anchor=(0.0, 1.0),
        ncols=3,
    )


def variants() -> None:
    """A charge for every group: fewer, larger groups."""
    _, axes = canvas(7.0, 2.6)
    column = np.sort(np.random.default_rng(4).gamma(2.0, 10.0, 40))
    for row, charge in enumerate((0.0, 20.0, 100.0, 400.0)):
        partition = covey.partition(column, 3, group_cost=charge)
        for number, members in enumerate(partition.groups()):
            values = column[members]
            colour = (BLUE, RED, GREEN, ORANGE)[number % 4]
            axes.scatter(values, [row] * len(values), s=14, color=colour)
            axes.plot([values.min(), values.max()], [row - 0.18] * 2, color=colour, linewidth=2)
    axes.set(
        yticks=range(4),
        yticklabels=["0", "20", "100", "400"],
        xlabel="value (k = 3)",
        ylabel="group_cost",
        ylim=(-0.6, 3.5),
    )
