"""The program of theorems 8 and 9: how many clusters each type of centre has, and how many vertices of each type they take."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covey.network.methods.cover.method import TimeIsUpError
from covey.network.methods.program import Program, Whole
from covey.network.methods.serving import Serving, clusters_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from covey.network.methods.cover.cover import Types
    from covey.network.methods.problem import Deadline, Problem
    from covey.network.methods.program import Solved
    from covey.utils.typing import Labels


def serve(problem: Problem, types: Types, centres: Sequence[int], deadline: Deadline) -> Labels | None:
    """Clusters whose centres are of some of the types; None if there are none. Exact.

    Lemma: only the type of the centre matters, so clusters that share it need no types of their own. Where two of a type are too
    far apart, a centre of that type has at most itself of it, in each of its clusters.
    """
    if not centres:
        return None
    program = Program(problem, serving_of(types, centres))
    solved = _solve(program, deadline, Whole.CLUSTERS)
    if solved.values is None:
        return None
    taken = program.amounts(solved.values, deadline.left)
    if taken is None:
        raise TimeIsUpError
    return clusters_of(problem, program.serving, program.serving.kind, program.serving.centre, taken)[0]


def is_possible(problem: Problem, types: Types, centres: Sequence[int], deadline: Deadline) -> bool:
    """Whether the program has a solution if clusters could be fractions: False proves that there is none."""
    program = Program(problem, serving_of(types, centres))
    return _solve(program, deadline, Whole.NONE).values is not None


def serving_of(types: Types, centres: Sequence[int]) -> Serving:
    """Who may be served by which type; a vertex of the type stands for all of its centres."""
    kinds = np.empty(sum(types.counts), dtype=np.int64)
    for place, members in enumerate(types.members):
        kinds[members] = place
    chosen = np.array(centres, dtype=np.int64)
    itself = np.eye(len(types.members), dtype=bool)
    kind, centre = np.nonzero((types.near | itself)[:, chosen])
    first = np.array([types.members[c][0] for c in centres], dtype=np.int32)
    alone = np.where(np.diag(types.near)[chosen], -1, chosen)
    return Serving(kinds, np.array(types.counts), first, kind, centre, alone)


def _solve(program: Program, deadline: Deadline, whole: Whole) -> Solved:
    """What the solver finds; an error where time is up before it knows."""
    if not deadline.passed:
        solved = program.solve(deadline.left, whole)
        if solved.is_optimal or solved.is_infeasible:
            return solved
    raise TimeIsUpError
