"""The best labels of one hierarchy: against all groupings of small tables, and with larger tables of the recursion."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest

import covey
from covey.columns.hierarchy.tree import Tree, tree_of_rows
from covey.core.partition import Partition
from covey.protect import on_a_tree
from covey.protect.on_a_tree import best_on_tree, least_loss
from tests.columns.trees import random_chains
from tests.columns.trees import tree as tree_of_chains

if TYPE_CHECKING:
    from collections.abc import Iterator

    from covey.utils.typing import Codes


def shapes(leaves: int) -> Iterator[Any]:
    """All trees with so many leaves, none with a single child, as nested tuples."""
    if leaves == 1:
        yield ()
        return
    for sizes in partitions_of(leaves, leaves - 1):
        yield from itertools.product(*(list(shapes(size)) for size in sizes))


def partitions_of(total: int, most: int) -> Iterator[tuple[int, ...]]:
    if total == 0:
        yield ()
    for first in range(min(total, most), 0, -1):
        for rest in partitions_of(total - first, first):
            yield first, *rest


def tree_of_shape(shape: Any) -> Tree:
    rows: list[list[str]] = []

    def add(part: Any, above: list[str]) -> None:
        if not part:
            rows.append([f"v{len(rows)}", *above])
        for number, child in enumerate(part):
            add(child, [f"{above[0]}{number}", *above] if child else above)

    add(shape, ["*"])
    return tree_of_rows("x", rows)


def brute_force(tree: Tree, values: Codes, k: int) -> float:
    """The least loss over all labels of all records, such that each is that of none or of k or more."""
    choices = [sorted(set(tree.paths[value].tolist())) for value in values]
    best = np.inf
    for labels in itertools.product(*choices):
        if all(labels.count(label) >= k for label in set(labels)):
            best = min(best, float(tree.loss[list(labels)].sum()))
    return best


def lost(tree: Tree, values: Codes, groups: Codes) -> float:
    """What groups lose whose labels are their lowest common ancestors."""
    total = 0.0
    for group in Partition(groups).groups():
        label = tree.common(np.array([values[group].min()]), np.array([values[group].max()]))[0]
        total += len(group) * float(tree.loss[label])
    return total


CASES = [(shape, k) for leaves in (1, 2, 3, 4) for shape in shapes(leaves) for k in (2, 3)]


@pytest.mark.parametrize(("shape", "k"), CASES)
def test_all_small_trees(shape: Any, k: int) -> None:
    tree = tree_of_shape(shape)
    leaves = np.flatnonzero(tree.is_value)
    for counts in itertools.product(range(4), repeat=len(leaves)):
        values = np.repeat(leaves, counts)
        if not k <= len(values) <= 6:
            continue
        best = brute_force(tree, values, k)
        assert least_loss(tree, values, k) == pytest.approx(best)
        groups = best_on_tree(tree, values, np.zeros(len(values), dtype=np.int64), k)
        assert groups is not None
        assert np.bincount(groups).min() >= k
        assert lost(tree, values, groups) == pytest.approx(best)


@pytest.mark.parametrize("seed", range(30))
def test_random_trees_with_values_that_are_labels(seed: int) -> None:
    draw = np.random.default_rng(seed)
    rows = [["a", "p", "r"], ["b", "p", "r"], ["c", "q", "r"], ["p", "r"], ["d", "r"]][: 2 + seed % 4]
    tree = tree_of_rows("x", rows)
    codes = np.flatnonzero(tree.is_value)
    values, k = draw.choice(codes, 7), int(draw.integers(2, 5))
    groups = best_on_tree(tree, values, np.zeros(7, dtype=np.int64), k)
    assert groups is not None
    assert least_loss(tree, values, k) == pytest.approx(brute_force(tree, values, k))
    assert lost(tree, values, groups) == pytest.approx(brute_force(tree, values, k))


@pytest.mark.parametrize("k", [2, 3, 7])
def test_a_node_may_have_to_pass_up_two_less_than_twice_k(k: int) -> None:
    tree = tree_of_rows("x", [["v", "one"], ["a", "one"], *([f"b{number}", "two"] for number in range(9))])
    values = np.repeat([tree.code_of["v"], tree.code_of["a"]], [2 * k - 2, 1])
    assert least_loss(tree, values, k) == pytest.approx((2 * k - 1) * tree.loss[tree.code_of["one"]])
    one_more = np.append(values, tree.code_of["v"])
    assert least_loss(tree, one_more, k) == pytest.approx(k * tree.loss[tree.code_of["one"]])


@pytest.mark.parametrize("seed", range(10))
def test_larger_tables_of_the_recursion_find_nothing_better(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    draw = np.random.default_rng(seed)
    tree = tree_of_chains(random_chains(seed, 12, 5, 0.3))
    values = draw.choice(np.flatnonzero(tree.is_value), 40, p=draw.dirichlet(np.full(int(tree.is_value.sum()), 0.5)))
    best = [least_loss(tree, values, k) for k in (2, 5, 9)]
    monkeypatch.setattr(on_a_tree, "most_passed", lambda _k: 40)
    assert [least_loss(tree, values, k) for k in (2, 5, 9)] == pytest.approx(best)


@pytest.mark.parametrize("k", [2, 5, 12])
def test_it_loses_no_more_than_groups_of_distances(k: int) -> None:
    draw = np.random.default_rng(k)
    codes = [f"{a}{b}{c}" for a in "AB" for b in range(4) for c in range(5)]
    table = pd.DataFrame({"code": draw.choice(codes, 300, p=draw.dirichlet(np.full(40, 0.3)))})
    choices: dict[str, Any] = {"quasi": ["code"], "hierarchy": {"code": "prefix"}, "ledger": False}
    done = covey.release(table, k, shuffle=False, **choices)
    assert (done.report.groups[0].status, done.report.groups[0].cost) == ("optimal", "generalisation loss")
    other = covey.release(table, k, method="mdav", shuffle=False, **choices)
    assert other.report.groups[0].status == "feasible"
    tree = tree_of_rows("code", [[code, code[:2], code[:1], "*"] for code in sorted(set(table["code"]))])
    codes_of = np.array([tree.code_of[code] for code in table["code"]])
    mine, theirs = (
        float(tree.loss[[tree.code_of[label.rstrip("*") or "*"] for label in one.table["code"]]].sum())
        for one in (done, other)
    )
    assert mine == pytest.approx(least_loss(tree, codes_of, k))
    assert mine <= theirs + 1e-9


def test_cells_are_solved_each_by_itself() -> None:
    tree = tree_of_rows("x", [["a", "p"], ["b", "p"], ["c", "q"]])
    values = np.array([tree.code_of[label] for label in "aabbccaabb"])
    cells = np.array([0, 0, 0, 0, 0, 0, 1, 1, 1, 1])
    groups = best_on_tree(tree, values, cells, 2)
    assert groups is not None
    assert len(np.unique(groups)) == 5


def test_where_it_would_take_long_groups_are_made_by_distances(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(on_a_tree, "MOST_STEPS", 10)
    table = pd.DataFrame({"code": ["A1", "A2", "B1", "B2"] * 5})
    done = covey.release(table, 3, quasi=["code"], hierarchy={"code": "prefix"}, ledger=False)
    assert done.report.groups[0].cost == "sse"


@pytest.mark.parametrize(
    "more",
    [
        {"aggregates": {"code": "mode"}},
        {"method": "mdav"},
        {"unit": "person"},
        {"weight": "w"},
        {"sensitive": ["illness"], "l_diversity": 2},
    ],
)
def test_it_is_claimed_for_ancestors_without_anything_else(more: dict[str, Any]) -> None:
    table = pd.DataFrame({"code": ["A1", "A2", "A1", "B1", "B2"] * 4})
    table = table.assign(person=np.arange(20) // 2, w=np.arange(1.0, 21.0), illness=["x", "y"] * 10)
    done = covey.release(table, 3, quasi=["code"], hierarchy={"code": "prefix"}, drop_rest=True, ledger=False, **more)
    assert done.report.groups[0].cost != "generalisation loss"


def test_missing_values_are_groups_of_their_own() -> None:
    table = pd.DataFrame({"code": ["A1", "A2", None, "B1"] * 5})
    done = covey.release(table, 3, quasi=["code"], hierarchy={"code": "prefix"}, missing="own-group", ledger=False)
    assert done.report.groups[0].cost == "generalisation loss"
    assert done.table["code"].isna().sum() == 5
