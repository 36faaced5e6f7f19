"""Groups made to satisfy a demand: the rules against their definitions, the lemma they rely on, the search against all partitions."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from covey._kernels import space as kernels
from covey.space.comply import comply, merge
from tests.privacy import definitions as by
from tests.space.test_refinement import sse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

NOTHING, NO_CODES = np.zeros(0), np.zeros(0, dtype=np.uint32)
MISSING = 0xFFFFFFFF


def known(codes: list[int]) -> list[int]:
    return [code for code in codes if code != MISSING]


def far(group: list[int], whole: list[int], *, ordered: bool) -> float:
    """Closeness where each record is a unit."""
    one, other = ([(at, None if code == MISSING else code) for at, code in enumerate(some)] for some in (group, whole))
    return by.closeness(one, other, ordered=ordered)


RULES: dict[str, Callable[[list[int], list[int]], bool]] = {
    "distinct": lambda group, _: len(set(known(group))) >= 2,
    "entropy": lambda group, _: by.entropy_l(known(group)) >= 1.9 * (1 - 1e-12),
    "recursive": lambda group, _: by.recursive(known(group), 1.5, 2),
    "equal": lambda group, whole: far(group, whole, ordered=False) <= 0.4 + 1e-12,
    "ordered": lambda group, whole: far(group, whole, ordered=True) <= 0.3 + 1e-12,
    "spread": lambda group, _: max(group) - min(group) >= 2,
}
LIMITS = {"distinct": 2.0, "entropy": 1.9, "recursive": 2.0, "equal": 0.4, "ordered": 0.3, "spread": 2.0}


def demand(kind: str, codes: list[int]) -> kernels.Demand:
    found = kernels.Demand()
    share = full = NOTHING
    if kind in ("equal", "ordered"):
        share = np.bincount(known(codes)) / len(known(codes))
        full = np.append(np.bincount(known(codes)), codes.count(MISSING)) / len(codes)
    code = NO_CODES if kind == "spread" else np.array(codes, dtype=np.uint32)
    value = np.array(codes, dtype=float) if kind == "spread" else NOTHING
    found.add(kind, code, LIMITS[kind], 1.5, share, full, value, NO_CODES)
    return found


def sample(kind: str, seed: int, n: int) -> list[int]:
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 4, n)
    codes[:4] = range(4)
    if kind != "spread" and seed % 2:
        return [MISSING if rng.random() < 0.2 else int(code) for code in codes]
    return [int(code) for code in codes]


@pytest.mark.parametrize("kind", RULES)
@pytest.mark.parametrize("seed", range(6))
def test_rules_hold_where_their_definitions_do(seed: int, kind: str) -> None:
    codes = sample(kind, seed, 12)
    asked = demand(kind, codes)
    seen = set()
    for size in (1, 2, 3, 4, 6):
        for members in itertools.islice(itertools.combinations(range(12), size), 200):
            group = [codes[i] for i in members]
            holds = RULES[kind](group, codes) if kind in ("equal", "ordered", "spread") or known(group) else False
            deficit = asked.deficit(np.array(members, dtype=np.uint32))
            assert (deficit == 0.0) == holds, (kind, group)
            assert deficit >= 0.0
            seen.add(holds)
    assert seen == {True, False}


@pytest.mark.parametrize("kind", RULES)
def test_two_groups_that_hold_hold_together(kind: str) -> None:
    """The lemma behind merging: so all records together satisfy what any groups satisfy."""
    tried = 0
    for seed in range(30):
        codes = sample(kind, seed, 10)
        asked = demand(kind, codes)
        rng = np.random.default_rng(seed)
        for _ in range(60):
            order = rng.permutation(10).astype(np.uint32)
            cut = int(rng.integers(1, 9))
            stop = int(rng.integers(cut + 1, 11))
            one, other = order[:cut], order[cut:stop]
            if asked.deficit(one) == 0.0 == asked.deficit(other):
                tried += 1
                assert asked.deficit(order[:stop]) == 0.0
    assert tried > 50


def partitions(n: int, k: int) -> Iterator[list[int]]:
    def grow(labels: list[int]) -> Iterator[list[int]]:
        if len(labels) == n:
            if min(np.bincount(labels)) >= k:
                yield labels
            return
        for label in range(max(labels, default=-1) + 2):
            yield from grow([*labels, label])

    yield from grow([])


@pytest.mark.parametrize("kind", RULES)
@pytest.mark.parametrize("d", [1, 2])
def test_near_the_best_of_all_partitions(kind: str, d: int) -> None:
    excess = []
    for seed in range(8):
        n, k = 8, 2
        codes = sample(kind, seed, n)
        asked = demand(kind, codes)
        if asked.deficit(np.arange(n, dtype=np.uint32)) > 0:
            continue
        points = np.random.default_rng(seed).normal(size=(n, d))
        best = min(
            sse(points, np.array(labels))
            for labels in partitions(n, k)
            if all(
                asked.deficit(np.flatnonzero(np.array(labels) == g).astype(np.uint32)) == 0.0
                for g in range(max(labels) + 1)
            )
        )
        start = np.repeat(np.arange(n // k), k).astype(np.uint32)
        found = comply(points, [start], k, asked)
        check(found, k, asked)
        assert sse(points, found) >= best * (1 - 1e-9)
        assert sse(points, found) <= sse(points, merge(points, start, asked)) * (1 + 1e-9)
        excess.append(sse(points, found) / best - 1 if best > 0 else 0.0)
    assert len(excess) >= 6
    assert np.median(excess) <= 0.25


def check(labels: Any, k: int, asked: kernels.Demand) -> None:
    for group in np.unique(labels):
        members = np.flatnonzero(labels == group).astype(np.uint32)
        assert len(members) >= k
        assert asked.deficit(members) == 0.0


@pytest.mark.parametrize("kind", RULES)
@pytest.mark.parametrize("seed", range(4))
def test_larger_tables_comply(seed: int, kind: str) -> None:
    rng = np.random.default_rng(seed)
    n, k = 300, 3
    points = rng.normal(size=(n, 1 + seed % 3)) if seed else np.zeros((n, 2))
    codes = sample(kind, seed, n)
    codes = sorted(codes) if seed == 3 else codes  # far from mixed
    asked = demand(kind, codes)
    start = np.argsort(np.argsort(points[:, 0], kind="stable"), kind="stable").astype(np.uint32) // k
    for found in (comply(points, [start], k, asked), merge(points, start, asked)):
        check(found, k, asked)


def test_the_cut_of_a_line_is_the_best_of_all_cuts() -> None:
    rng = np.random.default_rng(0)
    for seed in range(20):
        n, k = 9, 2
        codes = sample("distinct", 2 * seed, n)
        asked = demand("distinct", codes)
        points = np.sort(rng.normal(size=(n, 1)), axis=0)
        order = np.arange(n, dtype=np.uint32)
        cuts = [
            sse(points, np.repeat(np.arange(len(sizes)), sizes))
            for sizes in compositions(n, k)
            if all(asked.deficit(part) == 0.0 for part in np.split(order, np.cumsum(sizes)[:-1]))
        ]
        sizes = kernels.demand_cut(points, order, k, n, asked)
        if not cuts:
            assert len(sizes) == 0
            continue
        assert sse(points, np.repeat(np.arange(len(sizes)), sizes)) == pytest.approx(min(cuts))


def compositions(n: int, k: int) -> Iterator[list[int]]:
    if n == 0:
        yield []
    for first in range(k, n + 1):
        for rest in compositions(n - first, k):
            yield [first, *rest]


def test_units_count_once() -> None:
    asked = kernels.Demand()
    codes = np.array([0, 0, 0, 1, 2], dtype=np.uint32)
    asked.add("entropy", codes, 2.9, 0.0, NOTHING, NOTHING, NOTHING, NO_CODES)
    everyone = np.arange(5, dtype=np.uint32)
    assert asked.deficit(everyone) > 0.0
    asked.count_units(np.array([7, 7, 7, 8, 9], dtype=np.uint32))
    assert asked.deficit(everyone) == 0.0
