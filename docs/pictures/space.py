"""Groups in the plane: what each method makes of the same records (k = 4)."""

from __future__ import annotations

import warnings

import numpy as np
from matplotlib.collections import LineCollection
from style import (
    BLUE,
    COLOURS,
    DARK,
    GREEN,
    GREY,
    ORANGE,
    RED,
    SKY,
    bare,
    canvas,
    groups,
    legend,
    lost,
    people,
    results,
)

import covey
from covey._kernels import space as kernels
from covey.space.comply import comply as complying
from covey.space.kmeans import kmeans_labels

K = 4
X = people()


def _one(name: str, **options: object) -> None:
    _, axes = canvas(5.6, 3.9)
    groups(axes, X, covey.partition(X, K, method=name, **options), name)


def _beside(first: tuple[str, covey.Partition], second: tuple[str, covey.Partition]) -> None:
    _, axes = canvas(8.4, 3.3, 2)
    for each, (title, partition) in zip(axes, (first, second), strict=True):
        groups(each, X, partition, title)


def methods() -> None:
    """Loss and time on two tables of the literature, from the benchmarks."""
    _, axes = canvas(8.6, 4.2, 2)
    rows = [row for row in results("space-tables") if row.get("k") == 5 and "loss" in row]
    for each, table in zip(axes, ("tarragona", "census"), strict=True):
        bars = sorted((row["loss"], row["method"], 1000 * row["seconds"]) for row in rows if row["table"] == table)[
            ::-1
        ]
        shades = [BLUE if name in {"auto", "mdav"} else SKY for _, name, _ in bars]
        each.barh([name for _, name, _ in bars], [loss for loss, _, _ in bars], color=shades)
        for row, (loss, _, ms) in enumerate(bars):
            each.annotate(
                f"{loss:.1f} %, {ms:.0f} ms",
                (loss, row),
                xytext=(3, -3),
                textcoords="offset points",
                fontsize=7,
                color=DARK,
            )
        each.set(xlabel="lost, %, and time", xlim=(0, 1.35 * bars[0][0]))
        each.tick_params(axis="y", labelsize=8)
        each.set_title(f"{table}, k = 5", fontsize=10, color=DARK)


def mdav() -> None:
    """The first two groups, and all of them."""
    _, axes = canvas(8.4, 3.3, 2)
    centre = X.mean(axis=0)
    left = np.arange(len(X))
    axes[0].scatter(*X.T, s=12, color=GREY)
    axes[0].scatter(*centre, s=60, marker="+", color=DARK)
    at = left[np.argmax(((X - centre) ** 2).sum(axis=1))]
    for name, colour in (("r", BLUE), ("s", RED)):
        near = left[np.argsort(((X[left] - X[at]) ** 2).sum(axis=1), kind="stable")[:K]]
        axes[0].scatter(*X[near].T, s=22, color=colour)
        axes[0].annotate(name, X[at], xytext=(6, 4), textcoords="offset points", fontsize=11, color=colour)
        left = np.setdiff1d(left, near)
        at = left[np.argmax(((X[left] - X[at]) ** 2).sum(axis=1))]
    axes[0].set_aspect("equal")
    bare(axes[0], "the first two groups, and the centroid")
    groups(axes[1], X, covey.partition(X, K, method="mdav"), "mdav")


def vmdav() -> None:
    _beside(
        ("mdav", covey.partition(X, K, method="mdav")),
        ("vmdav, gamma 1.1", covey.partition(X, K, method="vmdav", gamma=1.1)),
    )


def cbfs() -> None:
    _one("cbfs")


def cbfs_growing() -> None:
    _beside(
        ("cbfs", covey.partition(X, K, method="cbfs")), ("cbfs-growing", covey.partition(X, K, method="cbfs-growing"))
    )


def kmeans() -> None:
    """Clusters of k-means, and what is left after merging the small ones."""
    clusters = covey.Partition(kmeans_labels(X, len(X) // K, 0))
    small = int((clusters.sizes < K).sum())
    _beside(
        (f"k-means, {small} clusters below k", clusters), ("kmeans, merged", covey.partition(X, K, method="kmeans"))
    )


def nearest_neighbour() -> None:
    _one("nearest-neighbour")


def decompose() -> None:
    _beside(("mdav", covey.partition(X, K, method="mdav")), ("decompose", covey.partition(X, K, method="decompose")))


def auto() -> None:
    _beside(("mdav, the start", covey.partition(X, K, method="mdav")), ("auto", covey.partition(X, K)))


def search() -> None:
    """Loss by steps, and the groups."""
    _, axes = canvas(8.4, 3.2, 2)
    table = np.random.default_rng(1).normal(size=(500, 5))
    total = ((table - table.mean(axis=0)) ** 2).sum()
    for seed, colour in enumerate((BLUE, RED, GREEN)):
        told: list[tuple[int, float]] = []
        covey.solve(
            table,
            5,
            method=covey.space.Search(
                effort=12_000,
                restarts=1,
                seed=seed,
                progress=lambda done, _, loss, told=told: told.append((done, loss)),
            ),
        )
        steps, losses = zip(*told, strict=True)
        axes[0].plot(steps, 100 * np.array(losses) / total, color=colour, label=f"seed {seed}")
    start = 100 * covey.solve(table, 5).loss / total
    axes[0].axhline(start, color=GREY, linestyle="--", linewidth=0.8)
    axes[0].annotate("auto", (0, start), xytext=(4, -10), textcoords="offset points", fontsize=8, color=DARK)
    axes[0].set(xlabel="steps", ylabel="least so far, % lost")
    axes[0].set_title("500 records, 5 columns, k = 5", fontsize=10, color=DARK)
    axes[0].legend(frameon=False, fontsize=8)
    groups(axes[1], X, covey.partition(X, K, method="search", effort=3_000), "search")


def exact() -> None:
    few = X[::3]
    _, axes = canvas(8.4, 3.3, 2)
    for each, name in zip(axes, ("mdav", "exact"), strict=True):
        groups(each, few, covey.partition(few, K, method=name), name)


def bound() -> None:
    """Losses and bounds of one table, by k."""
    _, axes = canvas(7.0, 3.0)
    table = np.random.default_rng(0).normal(size=(90, 3))
    total = ((table - table.mean(axis=0)) ** 2).sum() / 100
    ks = (2, 3, 4)
    curves = (
        ("mdav", [covey.solve(table, k, method="mdav").loss for k in ks], ORANGE, "o"),
        ("search", [covey.solve(table, k, method="search", effort=5_000).loss for k in ks], BLUE, "o"),
        (
            "tight bound",
            [covey.space.lower_bound(table, k, method="tight", time_limit=3) for k in ks],
            GREEN,
            "^",
        ),
        ("bound by matching", [covey.space.lower_bound(table, k) for k in ks], ORANGE, "^"),
        ("bound by neighbours", [covey.space.lower_bound(table, k, method="neighbours") for k in ks], GREY, "^"),
    )
    for name, values, colour, marker in curves:
        axes.plot(ks, np.array(values) / total, color=colour, marker=marker, label=name)
    axes.set(xlabel="k (90 records, 3 columns)", ylabel="% of the variation", xticks=ks, ylim=(0, None))
    axes.legend(frameon=False, fontsize=8)


def each_column() -> None:
    """Every column has groups of k; their crossings do not."""
    _, axes = canvas(5.2, 4.0)
    few = X[::2]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        first, second = covey.space.EachColumn().partitions(few, K)
        joint = covey.space.EachColumn().partition(few, K)
    for column, (partition, line) in enumerate(((first, axes.axvline), (second, axes.axhline))):
        ends = sorted(few[group, column].max() for group in partition.groups())[:-1]
        starts = sorted(few[group, column].min() for group in partition.groups())[1:]
        for low, high in zip(ends, starts, strict=True):
            line((low + high) / 2, color=GREY, linewidth=0.6)
    alone = joint.sizes[joint.labels] < K
    axes.scatter(*few[~alone].T, s=18, color=BLUE, label=f"in a crossing of {K} or more")
    axes.scatter(*few[alone].T, s=18, color=RED, label="in a smaller one")
    axes.set(xlabel="first column", ylabel="second column")
    axes.legend(frameon=False, fontsize=8, loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=2)


def comply() -> None:
    """Groups by k alone, and with two different sensitive values in each."""
    values = (X[:, 0] > np.quantile(X[:, 0], 0.5)).astype(np.uint32) + (X[:, 1] > np.quantile(X[:, 1], 0.6))
    demand = kernels.Demand()
    nothing, every_unit = np.zeros(0), np.zeros(0, dtype=np.uint32)
    demand.add("distinct", values.astype(np.uint32), 2.0, 0.0, nothing, nothing, nothing, every_unit)
    alone = covey.partition(X, K)
    diverse = covey.Partition(complying(X, [alone.labels.astype(np.uint32)], K, demand))
    figure, axes = canvas(8.4, 3.4, 2)
    titles = (f"k = {K} alone; red: one value only", f"k = {K} and two different values")
    for each, partition, title in zip(axes, (alone, diverse), titles, strict=True):
        for group in partition.groups():
            few = len(set(values[group])) < 2
            lines = [[X[place], X[group].mean(axis=0)] for place in group]
            each.add_collection(LineCollection(lines, colors=RED if few else GREY, linewidths=1.3 if few else 0.8))
        for value, (colour, marker) in enumerate(zip(COLOURS[:3], "os^", strict=True)):
            each.scatter(*X[values == value].T, s=16, color=colour, marker=marker, zorder=2)
        each.set_aspect("equal")
        bare(each, f"{title}: {lost(X, partition):.1f} % lost")
    entries = [
        (name, {"marker": m, "color": c}) for name, m, c in zip(("flu", "cold", "gout"), "os^", COLOURS, strict=False)
    ]
    legend(figure, entries, loc="outside lower center", ncols=3)
