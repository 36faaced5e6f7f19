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


if __name__ == "__main__":
    run_sections("hierarchies", {"loss": loss}, __doc__)
