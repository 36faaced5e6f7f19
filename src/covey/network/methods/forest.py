"""Connected clusters as a forest, by CP-SAT: exact.

Every vertex is a root or has a neighbour as its parent. size[v] counts the vertices below v, itself included, by a flow from
children to parents; since a parent's is larger, there is no cycle. A root has `lower` to `upper` below it: its tree is a
cluster. The label of a vertex is its centre, one that it is near to; along a parent's edge labels are equal.
"""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.network.methods import sat
from covey.network.methods.problem import Answer, Outcome, Reason
from covey.network.methods.search import TIME_IS_UP
from covey.utils.extras import load

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.network.methods.distances import Balls
    from covey.network.methods.problem import Deadline, Problem

_MOST_LITERALS = 3_000_000
TOO_LARGE = Reason("too many vertices are near each other for the solver")


class _Forest:
    """The variables of the model."""

    def __init__(self, problem: Problem, centres: NDArray[np.bool_], within: Balls) -> None:
        self.problem = problem
        self.model = load("ortools.sat.python.cp_model").CpModel()
        n = problem.n
        rows = within.indptr.tolist()
        kept = [within.indices[a:b][centres[within.indices[a:b]]].tolist() for a, b in itertools.pairwise(rows)]
        self.label = [{c: self.model.new_bool_var("") for c in near} for near in kept]
        self.root = [self.model.new_bool_var("") for _ in range(n)]
        self.size = [self.model.new_int_var(1, problem.upper, "") for _ in range(n)]
        self.parents: list[list[tuple[int, Any]]] = [[] for _ in range(n)]
        self._grow()

    def _grow(self) -> None:
        network, model, problem = self.problem.network, self.model, self.problem
        below: list[list[Any]] = [[] for _ in range(problem.n)]
        for v in range(problem.n):
            for w in network.indices[network.indptr[v] : network.indptr[v + 1]].tolist():
                if self.label[v].keys() & self.label[w].keys():
                    below[w].append(self._edge(v, w))
        for v in range(problem.n):
            model.add_exactly_one(self.label[v].values())
            model.add_exactly_one([self.root[v], *(edge for _, edge in self.parents[v])])
            model.add(self.size[v] == 1 + sum(below[v]))
            model.add(self.size[v] >= problem.lower).only_enforce_if(self.root[v])

    def _edge(self, v: int, w: int) -> Any:
        """Make w a possible parent of v; what then flows from v to w."""
        model = self.model
        edge, flow = model.new_bool_var(""), model.new_int_var(0, self.problem.upper - 1, "")
        self.parents[v].append((w, edge))
        model.add(flow == self.size[v]).only_enforce_if(edge)
        model.add(flow == 0).only_enforce_if(~edge)
        for c in sorted(self.label[v].keys() | self.label[w].keys()):
            label, parent_label = self.label[v].get(c), self.label[w].get(c)
            if label is not None:
                model.add_bool_or([~edge, ~label, *([] if parent_label is None else [parent_label])])
            if parent_label is not None:
                model.add_bool_or([~edge, ~parent_label, *([] if label is None else [label])])
        return flow

    def hint(self, known: Outcome) -> None:
        """Start from clusters that are known."""
        if known.labels is None or known.centres is None:
            return
        for v, near in enumerate(self.label):
            for c, choice in near.items():
                self.model.add_hint(choice, int(c == known.centres[known.labels[v]]))

    def answer(self, solver: Any) -> Answer:
        """The trees as clusters."""
        n = self.problem.n
        up = np.arange(n)
        for v in range(n):
            for w, edge in self.parents[v]:
                if solver.boolean_value(edge):
                    up[v] = w
        while not np.array_equal(up, up[up]):
            up = up[up]
        roots, labels = np.unique(up, return_inverse=True)
        at = [next(c for c, choice in self.label[root].items() if solver.boolean_value(choice)) for root in roots]
        return Answer(True, labels.astype(np.int32), np.array(at, dtype=np.int32))


def forest(problem: Problem, within: Balls, centres: NDArray[np.bool_], deadline: Deadline) -> Answer:
    """Whether there are connected clusters near the centres allowed, and which."""
    if not fits_a_forest(problem, within, centres):
        return Answer(None, reason=TOO_LARGE)
    trees = _Forest(problem, centres, within)
    if not all(trees.label):
        return Answer(False)
    status, solver = sat.solve(trees.model, deadline)
    if status == "INFEASIBLE":
        return Answer(False)
    return trees.answer(solver) if status in ("OPTIMAL", "FEASIBLE") else Answer(None)


def least_forest(problem: Problem, within: Balls, known: Outcome, deadline: Deadline) -> Outcome:
    """The connected clusters with the least sum of distances; `known` has some, or none, and a bound, at which the search is over.

    Distances enter the solver as whole numbers; where they are not, the bound allows for the rounding.
    """
    every = np.ones(problem.n, dtype=np.bool_)
    if not fits_a_forest(problem, within, every):
        return known._replace(reason=TOO_LARGE)
    trees, unit = _Forest(problem, every, within), _unit(within)
    costs = np.round(within.distances / unit).astype(np.int64).tolist()
    literals = [choice for near in trees.label for choice in near.values()]
    total = sum(cost * choice for cost, choice in zip(costs, literals, strict=True) if cost)
    trees.model.minimize(total)
    if unit == 1.0 and any(costs):
        trees.model.add(total >= math.ceil(known.bound * (1 - 1e-9)))
    trees.hint(known)
    status, solver = sat.solve(trees.model, deadline, least=True)
    if status == "INFEASIBLE":
        return Outcome(None, None, math.inf, Reason(f"there is no partition within the distance {problem.distance}"))
    rounding = 0.0 if unit == 1.0 else problem.n * unit
    bound = max(known.bound, solver.best_objective_bound * unit - rounding)
    reason = Reason("the solver rounds lengths that differ so much") if status == "OPTIMAL" else TIME_IS_UP
    if status not in ("OPTIMAL", "FEASIBLE"):
        return known._replace(bound=bound, reason=reason)
    found = trees.answer(solver)
    return Outcome(found.labels, found.centres, bound, reason)


def fits_a_forest(problem: Problem, within: Balls, centres: NDArray[np.bool_]) -> bool:
    """Whether the clauses of the edges are few enough for the memory."""
    kept = np.concatenate([[0], np.cumsum(centres[within.indices])])[within.indptr]
    return int((np.diff(kept) * problem.network.degrees).sum()) * 6 <= _MOST_LITERALS


def _unit(within: Balls) -> float:
    """What one step of the solver's whole numbers is in the units of the lengths."""
    largest = float(within.distances.max(initial=1.0))
    return 1.0 if np.all(within.distances == np.floor(within.distances)) and largest < 2**40 else largest / 2**40
