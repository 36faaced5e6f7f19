"""l-diversity clustering on the line: every method against every clustering."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from covey.line import diverse
from tests.line.columns import KINDS, hard_column
from tests.line.diverse_oracle import OBJECTIVES, UNIT, best, cost, small_instances, total

if TYPE_CHECKING:
    from covey import Solution


def value(solution: Solution, x: list[int], objective: str) -> int:
    return total(objective, [cost(objective, [x[i] for i in group]) for group in solution.partition.groups()])


def check(solution: Solution, x: Any, colours: Any, l: int) -> None:  # noqa: E741
    """What every answer must be: a clustering, and a bracket."""
    assert len(solution.partition.labels) == len(x)
    members: dict[int, list[Any]] = {}
    for label, colour in zip(solution.partition.labels.tolist(), colours, strict=True):
        members.setdefault(label, []).append(colour)
    assert all(l <= len(cluster) == len(set(cluster)) for cluster in members.values())
    assert solution.bound <= solution.loss
    assert (solution.bound == solution.loss) == (solution.status == "optimal")


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_every_small_instance(objective: str) -> None:
    """Up to 8 points of up to 4 colours."""
    for x, colours, l in small_instances(8, 4):  # noqa: E741
        least = best(x, colours, l, objective)
        for method in ("window", "paper"):
            solution = diverse(x, colours, l, objective, method)
            check(solution, x, colours, l)
            assert solution.status == "optimal"
            assert solution.method.name == method
            assert value(solution, x, objective) == least, (x, colours, l, method)
            assert abs(solution.loss * UNIT - least) <= 1e-12 * least


def test_integer_programs_on_small_instances() -> None:
    for turn, (x, colours, l) in enumerate(small_instances(8, 4)):  # noqa: E741
        if turn % 29 == 0:
            solution = diverse(x, colours, l, "max", "milp")
            check(solution, x, colours, l)
            assert solution.status == "optimal"
            assert value(solution, x, "max") == best(x, colours, l, "max"), (x, colours, l)


def random_instance(rng: random.Random) -> tuple[list[int], tuple[int, ...], int]:
    """In no order, of up to 8 points, with an l that has a solution."""
    n, m = rng.randint(2, 8), rng.randint(2, 6)
    spread = rng.choice([3, 12, 100])
    x = [rng.randrange(spread) for _ in range(n)]
    colours = tuple(rng.randrange(m) for _ in range(n))
    return x, colours, rng.randint(1, n // max(colours.count(c) for c in colours))


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_random_instances_in_any_order(objective: str) -> None:
    rng = random.Random(1)
    for _ in range(1500):
        x, colours, l = random_instance(rng)  # noqa: E741
        least = best(x, colours, l, objective)
        for method in ("auto", "window", "paper"):
            solution = diverse(x, colours, l, objective, method)
            check(solution, x, colours, l)
            assert value(solution, x, objective) == least, (x, colours, l, method)


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_no_time_is_a_bracket(objective: str) -> None:
    """The bounds that come before the recursion hold, too."""
    rng = random.Random(2)
    open_ones = 0
    for _ in range(1500):
        x, colours, l = random_instance(rng)  # noqa: E741
        least = best(x, colours, l, objective)
        assert least is not None
        for method in ("window", "paper"):
            solution = diverse(x, colours, l, objective, method, time_limit=0)
            check(solution, x, colours, l)
            assert solution.bound * UNIT <= least * (1 + 1e-11)
            assert value(solution, x, objective) >= least
            open_ones += solution.status == "feasible"
    assert open_ones > 100


def coloured(n: int, m: int, seed: int, skew: float = 1.0) -> list[int]:
    """Random colours, the first ones more frequent with a skew below 1."""
    weights = [skew**c for c in range(m)]
    return random.Random(seed).choices(range(m), weights, k=n)


def largest_l(colours: list[int]) -> int:
    return len(colours) // max(colours.count(c) for c in set(colours))


@pytest.mark.parametrize("objective", OBJECTIVES)
@settings(max_examples=60)
@given(
    kind=st.sampled_from(KINDS),
    n=st.integers(2, 36),
    m=st.integers(2, 4),
    seed=st.integers(0, 2**32 - 1),
    skew=st.sampled_from([1.0, 0.8, 0.5]),
    data=st.data(),
)
def test_window_and_paper_agree(
    objective: str, kind: str, n: int, m: int, seed: int, skew: float, data: st.DataObject
) -> None:
    """On hard columns: large offsets, subnormals, ties, huge values, tight clusters."""
    colours = coloured(n, m, seed, skew)
    l = data.draw(st.integers(1, largest_l(colours)))  # noqa: E741
    x = hard_column(kind, n, np.random.default_rng(seed))
    window, paper = (diverse(x, colours, l, objective, method) for method in ("window", "paper"))
    for solution in (window, paper):
        check(solution, x, colours, l)
        assert solution.status == "optimal"
    assert window.loss == pytest.approx(paper.loss, rel=0 if objective == "max" else 1e-11, abs=0)


@settings(max_examples=40)
@given(n=st.integers(4, 60), m=st.integers(2, 8), seed=st.integers(0, 2**32 - 1), ties=st.booleans(), data=st.data())
def test_window_and_integer_programs_agree(n: int, m: int, seed: int, ties: bool, data: st.DataObject) -> None:  # noqa: FBT001
    colours = coloured(n, m, seed)
    l = data.draw(st.integers(1, largest_l(colours)))  # noqa: E741
    x = np.random.default_rng(seed).random(n) * 20
    x = np.floor(x) if ties else x
    window, milp = (diverse(x, colours, l, "max", method) for method in ("window", "milp"))
    assert window.status == milp.status == "optimal"
    assert window.loss == milp.loss


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize(
    ("n", "m", "l", "skew"), [(300, 3, 2, 1.0), (150, 4, 2, 0.7), (120, 4, 3, 0.9), (400, 2, 1, 0.9)]
)
def test_window_and_paper_agree_on_longer_columns(objective: str, n: int, m: int, l: int, skew: float) -> None:  # noqa: E741
    colours = coloured(n, m, 5, skew)
    x = np.random.default_rng(5).random(n) * 1e6
    window, paper = (diverse(x, colours, l, objective, method) for method in ("window", "paper"))
    assert window.status == paper.status == "optimal"
    assert window.loss == pytest.approx(paper.loss, rel=1e-11)


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("method", ["window", "paper"])
def test_the_loss_does_not_depend_on_offset_order_or_names(objective: str, method: str) -> None:
    rng = np.random.default_rng(3)
    x = rng.integers(0, 500, 40).astype(float)
    colours = coloured(40, 3, 3)
    loss = diverse(x, colours, 2, objective, method).loss
    order = rng.permutation(40)
    names = [("a", "bb", "c")[colours[i]] for i in order]
    assert diverse(x[order] + 1e9, names, 2, objective, method).loss == pytest.approx(loss, rel=1e-12)
    assert diverse(-x, colours, 2, objective, method).loss == pytest.approx(loss, rel=1e-12)


def test_trivial_sizes() -> None:
    for objective in OBJECTIVES:
        for method in ("auto", "window", "paper"):
            assert diverse([7.0], ["a"], 1, objective, method).partition.labels.tolist() == [0]
            assert diverse([3, 1, 2], list("abc"), 3, objective, method).partition.labels.tolist() == [0, 0, 0]
            assert diverse(range(5), list("abcde"), 3, objective, method).partition.labels.tolist() == [0] * 5
            assert diverse([1.0, 1.0, 2.0], list("aab"), 1, objective, method).loss == 0.0
            assert (
                diverse([4.0] * 50, list("abcde") * 10, 3, objective, method if method != "paper" else "auto").loss == 0
            )


def test_every_record_a_colour_of_its_own() -> None:
    """Then it is plain grouping by span: r-gathering."""
    from covey.line import OptimalLine
    from covey.line.diversity.methods import Window

    x = np.random.default_rng(4).random(14)
    solution = Window("sse").solve(x, 3)
    assert solution.status == "optimal"
    assert solution.loss == pytest.approx(OptimalLine().solve(x, 3).loss, rel=1e-12)


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_window_and_paper_agree_on_crowded_columns(objective: str) -> None:
    """Long runs of one colour: clusters reach over more points than the shortest mask holds."""
    colours = [0] * 90 + [1] * 90 + [2] * 60
    x = np.cumsum(np.random.default_rng(8).random(len(colours)))
    window, paper = (diverse(x, colours, 2, objective, method) for method in ("window", "paper"))
    assert window.status == paper.status == "optimal"
    assert window.loss == pytest.approx(paper.loss, rel=1e-11)


def test_places_without_a_better_solution_are_proven_to_be_such() -> None:
    """The largest span of columns that are long enough to be proven by a part of them."""
    rng = random.Random(11)
    for seed in range(150):
        n, m = rng.randint(60, 120), rng.choice([3, 3, 4])
        colours = coloured(n, m, seed, rng.choice([1.0, 0.8]))
        if largest_l(colours) < 2:
            continue
        x = np.random.default_rng(seed).random(n)
        assert diverse(x, colours, 2, "max", "window").loss == diverse(x, colours, 2, "max", "paper").loss


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_many_equal_values(objective: str) -> None:
    """Each value of its own where it can be; else the bracket holds the optimum."""
    for seed in range(8):
        x = np.floor(np.random.default_rng(seed).random(110) * (4 + seed % 3))
        colours = coloured(110, 3, seed, (1.0, 0.8, 0.9)[seed % 3])
        window, paper = (diverse(x, colours, 2, objective, method, 10.0) for method in ("window", "paper"))
        check(window, x, colours, 2)
        assert paper.status == "optimal"
        assert window.bound <= paper.loss + 1e-9 <= window.loss + 2e-9
