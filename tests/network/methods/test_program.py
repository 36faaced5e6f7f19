"""The program of clusters and pairs: whole vertices for whole clusters, and vertices that must not share a cluster."""

from __future__ import annotations

import numpy as np

from covey.network.methods.problem import as_problem
from covey.network.methods.program import Program, Whole
from covey.network.methods.serving import Serving, clusters_of
from covey.network.methods.splitting import split

EVERY = np.arange(4)


def everyone_at_two_centres() -> Serving:
    """Four vertices, each of which may be served by 0 and by 1."""
    kind, centre = np.repeat(EVERY, 2), np.tile(np.arange(2), 4)
    return Serving(EVERY, np.ones(4, dtype=np.int64), np.array([0, 1], dtype=np.int32), kind, centre)


def test_fractions_of_a_flow_are_solved_again() -> None:
    problem = as_problem([(0, 1), (1, 2), (2, 3)], 2, 2)
    program = Program(problem, everyone_at_two_centres())
    halves = np.array([1.0, 1.0, *[0.5] * 8])
    amounts = program.amounts(halves, np.inf)
    assert amounts is not None
    assert np.bincount(program.serving.kind, weights=amounts).tolist() == [1, 1, 1, 1]
    assert np.bincount(program.serving.centre, weights=amounts).tolist() == [2, 2]


def test_what_is_whole_stays_as_it_is() -> None:
    problem = as_problem([(0, 1), (1, 2), (2, 3)], 2, 2)
    program = Program(problem, everyone_at_two_centres(), costs=np.ones(8))
    values = np.array([1.0, 1.0, 0, 1, 1, 0, 1, 0, 0, 1])
    amounts = program.amounts(values + 1e-9, np.inf)
    assert amounts is not None
    assert amounts.tolist() == values[2:].tolist()
    assert program.solve(np.inf, Whole.NONE).is_optimal


def test_vertices_that_must_be_apart_are_dealt_one_to_each_piece() -> None:
    problem = as_problem([(0, v) for v in range(1, 7)], 2, 3)
    labels, centres = np.zeros(7, dtype=np.int32), np.zeros(1, dtype=np.int32)
    apart = np.array([False, False, True, True, True, False, False])
    pieces, _ = split(problem, labels, centres, apart)
    assert sorted(pieces[apart].tolist()) == [0, 1, 2]
    assert sorted(np.bincount(pieces).tolist()) == [2, 2, 3]


def test_a_centre_that_is_a_kind_has_one_of_it_in_each_cluster() -> None:
    """Two leaves of a star are too far from each other: each of their clusters has one leaf, and the hub is in one of them."""
    problem = as_problem([(0, 1), (0, 2), (0, 3)], 2, 2)
    kinds, counts = np.array([0, 1, 1, 1]), np.array([1, 3])
    kind, centre = np.array([0, 1]), np.array([0, 0])
    serving = Serving(kinds, counts, np.array([1], dtype=np.int32), kind, centre, alone=np.array([1]))
    assert Program(problem, serving).solve(np.inf).is_infeasible
    free = serving._replace(alone=np.array([-1]))
    solved = Program(problem, free).solve(np.inf)
    assert solved.values is not None
    labels, _ = clusters_of(problem, free, kind, centre, solved.values[1:].astype(np.int64))
    assert np.bincount(labels).tolist() == [2, 2]
