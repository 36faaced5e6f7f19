"""The searches of `auto` and `search` in blocks: equal records, lists of near ones, borders, and any number of threads."""

from __future__ import annotations

import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from covey._kernels import space as kernels
from covey.errors import OptionError
from covey.space import Auto, Mdav, Search, Split
from covey.space.objective import Objective
from covey.utils.arrays import as_coordinates
from tests.space.tables import hard_tables

if TYPE_CHECKING:
    from collections.abc import Iterator


def sse(points: np.ndarray, labels: np.ndarray) -> float:
    centred = points - points[:1]
    sizes = np.bincount(labels)
    used = sizes > 0
    total = 0.0
    for column in centred.T:
        mean = np.bincount(labels, weights=column)[used] / sizes[used]
        full = np.zeros(len(sizes))
        full[used] = mean
        total += float(((column - full[labels]) ** 2).sum())
    return total


@pytest.fixture(autouse=True)
def _as_many_threads_as_cores() -> Iterator[None]:
    yield
    kernels.use_threads(0)


def mixed_table(n: int, d: int) -> np.ndarray:
    """Some clusters, some outliers, some equal records."""
    rng = np.random.default_rng(n + d)
    table = rng.normal(size=(n, d)) + 4 * rng.integers(0, 3, size=(n, 1))
    table[: n // 100] *= 50
    table[n // 2 : n // 2 + n // 10] = 1.0
    return np.ascontiguousarray(table[rng.permutation(n)])


@pytest.mark.parametrize(("n", "d"), [(300, 2), (40_000, 3)])
def test_the_groups_do_not_depend_on_the_number_of_threads(n: int, d: int) -> None:
    points, found, searched = mixed_table(n, d), [], []
    for threads in (1, 2, 3, 8, 16):
        kernels.use_threads(threads)
        found.append(kernels.good_groups(points, 4))
        searched.append(Search(effort=3000, restarts=2).partition(points, 4).labels)
    for labels, others in ((found[0], found), (searched[0], searched)):
        assert np.bincount(labels).min() >= 4
        assert all(np.array_equal(labels, other) for other in others)


@st.composite
def tables_of_equal_rows(draw: st.DrawFn) -> tuple[np.ndarray, int]:
    different = draw(st.integers(1, 9))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    points = np.unique(rng.integers(-3, 4, size=(different, draw(st.integers(1, 3)))).astype(float), axis=0)
    times = [draw(st.integers(1, 60)) for _ in points]
    rows = np.repeat(points, times, axis=0)
    k = draw(st.integers(2, 6))
    return np.ascontiguousarray(rows[rng.permutation(len(rows))]), k


@settings(max_examples=150, deadline=None)
@given(tables_of_equal_rows())
def test_equal_rows_are_counted_as_often_as_they_are_there(case: tuple[np.ndarray, int]) -> None:
    points, k = case
    if len(points) < 2 * k:
        return
    solution = Auto().solve(points, k)
    labels = solution.partition.labels
    assert len(labels) == len(points)
    assert solution.partition.smallest >= k
    assert solution.loss == pytest.approx(sse(points, labels), rel=1e-9, abs=1e-9)
    _, times = np.unique(points, axis=0, return_counts=True)
    if times.min() >= k:
        assert solution.loss == 0.0
    for start in (Mdav(), Split()):
        begun = start._group(points, k)
        found = kernels.local_search(points, begun, k)
        assert np.bincount(found)[np.unique(found)].min() >= k
        assert sse(points, found) <= sse(points, begun) * (1 + 1e-9) + 1e-12


def test_copies_are_lent_to_their_neighbours() -> None:
    # Each of the far records is best off with copies of the one point that has many.
    angle = np.linspace(0.0, 2.0 * np.pi, 4)[:3]
    points = np.concatenate([np.zeros((500, 2)), 10.0 * np.column_stack([np.cos(angle), np.sin(angle)])])
    labels = Auto().partition(points, 5).labels
    assert [np.count_nonzero(labels[:500] == g) for g in labels[500:]] == [4, 4, 4]


@pytest.mark.parametrize("name", sorted(hard_tables(4)))
def test_exact_lists_are_those_of_brute_force(name: str) -> None:
    points = as_coordinates(hard_tables(4)[name]).values
    n = len(points)
    if n < 8 or len(np.unique(points, axis=0)) < n:
        return
    count = min(7, n - 1)
    near = kernels.near_records(points, 2, count).reshape(n, count)
    distance = ((points[:, None] - points[None]) ** 2).sum(axis=2)
    np.fill_diagonal(distance, np.inf)
    best = np.sort(distance, axis=1)[:, :count]
    assert (near != np.arange(n)[:, None]).all()
    found = np.sort(np.take_along_axis(distance, near.astype(np.int64), axis=1), axis=1)
    assert np.allclose(found, best, rtol=1e-6, atol=1e-30)


@pytest.mark.parametrize(("n", "d", "least"), [(3000, 6, 1.0), (6000, 2, 0.999), (20_000, 5, 0.9), (40_000, 10, 0.5)])
def test_lists_hold_most_of_the_nearest(n: int, d: int, least: float) -> None:
    points = np.random.default_rng(n).normal(size=(n, d))
    some, count = np.arange(0, n, n // 200), 10
    near = kernels.near_records(points, 5, count).reshape(n, count)[some]
    distance = ((points[some][:, None] - points[None]) ** 2).sum(axis=2)
    distance[np.arange(len(some)), some] = np.inf
    nearest = np.argsort(distance, axis=1)[:, :count]
    recall = np.mean([len(np.intersect1d(a, b)) / count for a, b in zip(near, nearest, strict=True)])
    assert recall >= least


def test_equal_records_have_different_copies_in_their_lists() -> None:
    points = np.repeat(np.arange(4.0)[:, None], 6, axis=0)
    near = kernels.near_records(points, 3, 8).reshape(24, 8)
    for i in range(24):
        assert i not in near[i]
        assert len(set(near[i])) == 8, "a copy is named once"
        assert {round(points[j, 0]) for j in near[i][:4]} != {round(points[i, 0])}, "others than copies come early"


@pytest.mark.parametrize("cost", ["sse", "sae", "roundup"])
@pytest.mark.parametrize("block", [200, 700, 10_000])
def test_blocks_never_lose_more_than_their_start(cost: str, block: int) -> None:
    points = mixed_table(1500, 3)
    objective = Objective((cost,) * 3).kernel()
    rng = np.random.default_rng(block)
    for start in (Split()._group(points, 4), (rng.permutation(1500) % 300).astype(np.uint32)):
        labels = kernels.local_search(points, start, 4, objective, block=block)
        assert np.bincount(labels)[np.unique(labels)].min() >= 4
        assert np.bincount(labels).max() < 8
        assert kernels.loss(points, labels, objective) <= kernels.loss(points, start, objective) * (1 + 1e-12)


@pytest.mark.parametrize("d", [2, 3])
def test_borders_of_blocks_cost_little(d: int) -> None:
    points = np.random.default_rng(d).normal(size=(6000, d))
    start = Split()._group(points, 5)
    whole = kernels.loss(points, kernels.local_search(points, start, 5))
    blocks = kernels.loss(points, kernels.local_search(points, start, 5, block=1500))
    assert blocks <= whole * 1.02


def test_large_tables_lose_less_than_by_mdav() -> None:
    points = mixed_table(40_000, 4)
    auto = Auto().solve(points, 5)
    searched = Search(effort=60_000).solve(points, 5)
    assert searched.loss < auto.loss < 0.95 * Mdav().solve(points, 5).loss
    assert searched.steps == 60_000


def test_progress_is_a_share_that_grows() -> None:
    told: list[float] = []
    Auto(progress=told.append).partition(np.random.default_rng(1).normal(size=(40_000, 3)), 5)
    assert told == sorted(told)
    assert 0.0 <= told[0] < 0.5 < told[-1] <= 1.0
    with pytest.raises(OptionError, match="progress is 3"):
        Auto(progress=3)  # type: ignore[arg-type]


INTERRUPTED = """
import signal, sys, time
import numpy as np
import covey

X = np.random.default_rng(0).normal(size=(400_000, 6))
signal.signal(signal.SIGALRM, signal.default_int_handler)
signal.setitimer(signal.ITIMER_REAL, float(sys.argv[1]))
try:
    covey.partition(X, 5)
except KeyboardInterrupt:
    print("stopped")
"""


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs the interval timers of POSIX")
@pytest.mark.parametrize("after", ["0.7", "2"])
def test_ctrl_c_stops_it(after: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, after], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.stdout == "stopped\n", done.stderr
