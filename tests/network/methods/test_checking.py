"""The checker finds what solvers could get wrong, and every result passes through it."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest

from covey.errors import RefusedError
from covey.network.methods import solution as solutions
from covey.network.methods.carving import Carving
from covey.network.methods.checking import check_clusters
from covey.network.methods.problem import Outcome, Problem, as_problem
from covey.network.methods.solution import as_solution

LABELS = np.array([0, 0, 0, 1, 1, 1], dtype=np.int32)
CENTRES = np.array([1, 4], dtype=np.int32)
ONES = np.array([1.0, 0.0, 1.0, 1.0, 0.0, 1.0])


def path(**asked: Any) -> Problem:
    return as_problem(nx.path_graph(6), 3, 3, connected=True, **asked)


def test_right_clusters_pass() -> None:
    check_clusters(path(), LABELS, CENTRES, ONES)
    check_clusters(path(distance=1), LABELS, CENTRES, ONES)
    check_clusters(path(), LABELS, CENTRES, ONES * 3)  # more than the truth is no false promise


@pytest.mark.parametrize(
    ("labels", "centres", "distances", "asked", "match"),
    [
        (LABELS[:5], CENTRES, ONES[:5], {}, "not every vertex"),
        (LABELS, CENTRES[:1], ONES, {}, "not every vertex"),
        (LABELS - 1, CENTRES, ONES, {}, "not every vertex"),
        (np.array([0, 0, 1, 1, 1, 1], dtype=np.int32), CENTRES, ONES, {}, "fewer than 3"),
        (LABELS, CENTRES, ONES, {"distance": 0.5}, "too far"),
        (np.array([0, 1, 0, 1, 0, 1], dtype=np.int32), CENTRES, ONES * 9, {}, "not connected"),
        (LABELS, np.array([0, 4], dtype=np.int32), ONES, {}, "larger than claimed"),
        (LABELS, np.array([4, 1], dtype=np.int32), ONES * 2, {}, "larger than claimed"),
    ],
)
def test_wrong_clusters_do_not(labels: Any, centres: Any, distances: Any, asked: dict[str, Any], match: str) -> None:
    with pytest.raises(RefusedError, match=match):
        check_clusters(path(**asked), labels, centres, distances)


def test_an_unreachable_centre_is_found() -> None:
    problem = as_problem(nx.disjoint_union(nx.path_graph(3), nx.path_graph(3)), 3)
    with pytest.raises(RefusedError, match="larger than claimed"):
        check_clusters(problem, LABELS, np.array([4, 1], dtype=np.int32), ONES * 1e9)


def test_every_result_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    monkeypatch.setattr(solutions, "check_clusters", lambda *given: seen.append(given))
    as_solution(path(), Outcome(LABELS, CENTRES, 1.0), Carving())
    assert len(seen) == 1


def test_a_wrong_solver_is_refused() -> None:
    with pytest.raises(RefusedError, match="bug in covey"):
        as_solution(path(), Outcome(np.array([0, 1, 0, 1, 0, 1], dtype=np.int32), CENTRES, 1.0), Carving())


def test_labels_may_come_in_any_order() -> None:
    found = as_solution(path(), Outcome(1 - LABELS, CENTRES[::-1].copy(), 1.0), Carving())
    assert found.partition is not None
    assert found.partition.labels.tolist() == LABELS.tolist()
    assert found.centres == (1, 4)
    assert (found.radius, found.total, found.status, found.gap) == (1.0, 4.0, "optimal", 0.0)
