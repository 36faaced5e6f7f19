"""Orderings: the sequence of the records, and the groups it is cut into (k = 4)."""

from __future__ import annotations

import numpy as np
from style import BLUE, DARK, GREY, bare, canvas, groups, path, people

import covey

K = 4
X = people()


def _ordering(method: covey.space.Split, order: np.ndarray, *, closed: bool = False) -> None:
    _, axes = canvas(8.4, 3.3, 2)
    axes[0].scatter(*X.T, s=12, color=BLUE, zorder=2)
    path(axes[0], X, order, closed=closed)
    axes[0].set_aspect("equal")
    bare(axes[0], "the order")
    groups(axes[1], X, method.partition(X, K), method.name)


def npn_mhm() -> None:
    method = covey.space.NpnMhm()
    _ordering(method, method._order(X, K))


def mdav_mhm() -> None:
    method = covey.space.MdavMhm()
    _ordering(method, method._order(X, K))


def cbfs_mhm() -> None:
    method = covey.space.CbfsMhm()
    _ordering(method, method._order(X, K))


def imhm() -> None:
    """The start and the end."""
    _, axes = canvas(8.4, 3.3, 2)
    for each, name in zip(axes, ("mdav", "imhm"), strict=True):
        groups(each, X, covey.partition(X, K, method=name), name)


def pca() -> None:
    method = covey.space.Pca()
    _ordering(method, method._order(X, K))


def zscore() -> None:
    method = covey.space.ZScore()
    _ordering(method, method._order(X, K))


def random_projection() -> None:
    method = covey.space.RandomProjection()
    _ordering(method, method._order(X, K))


def tour() -> None:
    method = covey.space.Tour()
    _ordering(method, method._order(X, K))


def split() -> None:
    method = covey.space.Split()
    _ordering(method, method._order(X, K))


def cut() -> None:
    """One sequence of records, cut for two k."""
    _, axes = canvas(8.4, 3.3, 2)
    order = covey.space.Tour()._order(X, K)
    for each, k, solution in zip(axes, (3, 6), covey.space.Tour().solve_many(X, [3, 6]), strict=True):
        path(each, X, order)
        groups(each, X, solution.partition, f"k = {k}")


def repeated_ordering() -> None:
    """The loss of some starts, iteration by iteration."""
    _, axes = canvas(8.4, 3.2, 2)
    method = covey.space.RepeatedOrdering(starts=12)
    total = ((X - X.mean(axis=0)) ** 2).sum()
    _, _, runs = method._run(X, K)
    best = min(runs, key=lambda losses: losses[-1])
    for losses in runs:
        axes[0].plot(
            range(1, len(losses) + 1),
            100 * np.array(losses) / total,
            color=BLUE if losses is best else GREY,
            marker="o",
            markersize=3,
            linewidth=1.6 if losses is best else 0.8,
        )
    axes[0].set(xlabel="iteration", ylabel="lost, %")
    axes[0].set_title("twelve starts; the best in blue", fontsize=10, color=DARK)
    groups(axes[1], X, method.partition(X, K), "repeated-ordering")
