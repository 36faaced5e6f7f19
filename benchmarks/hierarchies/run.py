"""Labels of hierarchies, group by group, beside the best recoding of whole columns: what is lost on 30,000 simulated workers.

usage: python -m benchmarks.hierarchies.run [--only SECTION ...]
Writes benchmarks/results/hierarchies-SECTION.json; `make bench` runs all of it. Recoding of whole columns publishes every value of a
column at the same level of its hierarchy; all combinations of levels are tried, so that the best is known. Loss: the generalisation
loss of the report, the mean over records and columns of the share of the other values below a label; a record left out counts 1.
"""

from __future__ import annotations

import itertools
import time
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

import covey
from benchmarks.harness.sections import run_sections
from covey.columns.hierarchy.tree import Tree, tree_of_rows

if TYPE_CHECKING:
    from covey.utils.typing import Codes, Floats

KS = (5, 10)
LEFT_OUT = (0.0, 0.01)
"""The share of records that recoding may leave out."""
MOST_OF_RECODING = 0.5


class Level(NamedTuple):
    """A column at one level of its hierarchy: a number for each label, how many there are, and what each record loses."""

    codes: Codes
    number: int
    loss: Floats


class Workers(NamedTuple):
    """The table, its hierarchies as they are declared and as trees, and its columns at all of their levels, the lowest first."""

    table: Any
    declared: dict[str, dict[str, tuple[str, ...]]]
    trees: dict[str, Tree]
    levels: list[list[Level]]


def load() -> Workers:
    table, declared = covey.datasets.load_workers()
    trees = {
        name: tree_of_rows(name, [[value, *labels] for value, labels in of.items()]) for name, of in declared.items()
    }
    return Workers(table, declared, trees, [_levels(trees[name], table[name]) for name in declared])


def _levels(tree: Tree, column: Any) -> list[Level]:
    nodes = tree.paths[[tree.code_of[str(value)] for value in column]]
    levels = []
    for depth in range(nodes.shape[1] - 1, -1, -1):
        codes = np.unique(nodes[:, depth], return_inverse=True)[1]
        levels.append(Level(codes, int(codes.max()) + 1, tree.loss[nodes[:, depth]]))
    return levels


def best_recoding(workers: Workers, k: int) -> dict[float, tuple[float, int]]:
    """For each share that may be left out: the least loss over all combinations of levels, and how many records are left out."""
    rows, best = len(workers.table), dict.fromkeys(LEFT_OUT, (1.0, len(workers.table)))
    for levels in itertools.product(*workers.levels):
        key = np.zeros(rows, dtype=np.int64)
        for level in levels:
            key = key * level.number + level.codes
        _, place, counts = np.unique(key, return_inverse=True, return_counts=True)
        kept = counts[place] >= k
        out = int(rows - kept.sum())
        for share, (least, _) in best.items():
            if out <= share * rows:
                loss = float(np.mean([(float(level.loss[kept].sum()) + out) / rows for level in levels]))
                best[share] = min(best[share], (loss, out)) if loss < least else best[share]
    return best


def loss_of_labels(workers: Workers, released: Any) -> float:
    """The mean over records and columns of what the released labels lose, all of which are above the values of their records."""
    lost = []
    for name, tree in workers.trees.items():
        labels = np.array([tree.code_of[label] for label in released[name]])
        values = np.array([tree.code_of[str(value)] for value in workers.table[name]])
        if not (tree.common(values, labels) == labels).all():
            raise AssertionError(name)
        lost.append(float(tree.loss[labels].mean()))
    return float(np.mean(lost))


def loss() -> dict[str, Any]:
    workers, rows = load(), []
    for k in KS:
        start = time.process_time()
        recoded = best_recoding(workers, k)
        searched = time.process_time() - start
        choices: dict[str, Any] = {"quasi": list(workers.declared), "hierarchy": workers.declared, "drop_rest": True}
        row: dict[str, Any] = {"k": k, "cpu_seconds_of_lattice": searched}
        row |= {"recoding": recoded[0.0][0], "recoding_left_out": recoded[0.01][0], "left_out": recoded[0.01][1]}
        for scale in ("zscore", "range"):
            start = time.process_time()
            done = covey.release(workers.table, k, shuffle=False, ledger=False, scale=scale, **choices)
            row[scale] = loss_of_labels(workers, done.table)
            row[f"cpu_seconds_{scale}"] = time.process_time() - start
        rows.append(row)
        print(row, flush=True)
    combinations = int(np.prod([len(levels) for levels in workers.levels]))
    return {"rows": rows, "records": len(workers.table), "combinations": combinations, "most": MOST_OF_RECODING}


def left_out() -> dict[str, Any]:
    """What a budget of 1 % buys where a record that is left out loses 1 in every column: chosen by squared distances, and by that loss itself."""
    workers, rows = load(), []
    total = len(workers.table)
    for k in KS:
        start = time.process_time()
        whole = labels_without(workers, k, np.empty(0, dtype=np.int64))
        gains, order = gains_of_absence(workers, whole)
        row: dict[str, Any] = {
            "k": k,
            "none": charged(workers, whole, 0),
            "most_to_gain": float(gains[gains > 0].sum()) / total,
        }
        by_price = covey.release(workers.table, k, suppress="1%", **choices_of(workers))
        number = total - len(by_price.table)
        row |= {"by_price": charged(workers, labels_of(workers, by_price.table), number), "by_price_left_out": number}
        row["by_loss"] = {
            most: charged(workers, labels_without(workers, k, order[:most]), most) for most in (4 * k, 75, 150, 300)
        }
        row["cpu_seconds"] = time.process_time() - start
        rows.append(row)
        print(row, flush=True)
    return {"rows": rows, "records": total}


def choices_of(workers: Workers) -> dict[str, Any]:
    return {
        "quasi": list(workers.declared),
        "hierarchy": workers.declared,
        "drop_rest": True,
        "shuffle": False,
        "ledger": False,
        "measuring": False,
    }


def labels_of(workers: Workers, released: Any) -> Codes:
    """The released labels, a column for each."""
    return np.column_stack([[tree.code_of[label] for label in released[name]] for name, tree in workers.trees.items()])


def labels_without(workers: Workers, k: int, out: Codes) -> Codes:
    stay = np.setdiff1d(np.arange(len(workers.table)), out)
    return labels_of(workers, covey.release(workers.table.iloc[stay], k, **choices_of(workers)).table)


def charged(workers: Workers, labels: Codes, out: int) -> float:
    """The loss of released labels, where each of those that are left out loses 1 in every column."""
    lost = sum(float(tree.loss[labels[:, at]].sum()) for at, tree in enumerate(workers.trees.values()))
    return (lost / len(workers.trees) + out) / (len(labels) + out)


def gains_of_absence(workers: Workers, labels: Codes) -> tuple[Floats, Codes]:
    """By class what the loss falls by at most without one of its records, which costs 1; and these records, the best first."""
    values = np.column_stack(
        [[tree.code_of[str(value)] for value in workers.table[name]] for name, tree in workers.trees.items()]
    )
    trees = list(workers.trees.values())
    lost = np.mean([tree.loss[labels[:, at]] for at, tree in enumerate(trees)], axis=0)
    place = np.unique(labels, axis=0, return_inverse=True)[1].reshape(-1)
    gains, best = [], []
    for rows in np.split(np.argsort(place, kind="stable"), np.cumsum(np.bincount(place))[:-1]):
        without = [
            np.mean([tree.loss[_common(tree, np.delete(values[rows, at], row))] for at, tree in enumerate(trees)])
            for row in range(len(rows))
        ]
        gain = lost[rows[0]] * len(rows) - np.array(without) * (len(rows) - 1) - 1.0
        gains.append(float(gain.max()))
        best.append(int(rows[gain.argmax()]))
    return np.array(gains), np.array(best)[np.argsort(-np.array(gains), kind="stable")]


def _common(tree: Tree, codes: Codes) -> int:
    """The lowest label above several values."""
    others: list[int] = np.unique(codes).tolist()
    lowest = others[0]
    for code in others[1:]:
        lowest = int(tree.common(np.array([lowest]), np.array([code]))[0])
    return lowest


if __name__ == "__main__":
    run_sections("hierarchies", {"loss": loss, "left-out": left_out}, __doc__)
