"""Clusters that need not be connected, by treewidth: theorem 1 of the paper, our states and transitions.

Only forgotten vertices have decided: what they serve as centres, and who serves them. Balls are symmetric, so the vertices
of one kind (the same vertices of the rest within the distance) are alike as clients and as centres. A state holds, for each
kind, how many clients wait for a centre of the rest, and the least and the most clients that its centres still take.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from covey.network.methods.problem import Answer, Reason
from covey.network.methods.splitting import split_by_centre
from covey.network.methods.treewidth.decomposition import FORGET, JOIN, LEAF
from covey.network.methods.treewidth.replay import Move, replay

if TYPE_CHECKING:
    from collections.abc import Iterator

    from covey.network.methods.distances import Balls
    from covey.network.methods.problem import Deadline, Problem
    from covey.network.methods.treewidth.decomposition import NiceDecomposition

    Waiting = tuple[tuple[int, int], ...]
    Wanted = tuple[tuple[int, int, int], ...]
    State = tuple[Waiting, Wanted]

MOST_STATES = 200_000
WAITS = -1


class Kinds(NamedTuple):
    """The kinds of forgotten vertices: the first vertex of the kind of each, and how many of the rest are near."""

    first: dict[int, int]
    room: dict[int, int]


class Table(NamedTuple):
    """The states after some step, each with the states and the move that it came from."""

    forgotten: frozenset[int]
    states: dict[State, tuple[tuple[State, ...], Move]]


class _TooManyError(Exception):
    """There are more states than are kept."""


class _TimeIsUpError(Exception):
    """The deadline passed."""


def unconnected_by_treewidth(
    problem: Problem, within: Balls, distance: float, deadline: Deadline, nice: NiceDecomposition
) -> Answer:
    """Whether there are clusters within a distance; exact, n^O((d+2)^tw) (Blazej et al. 2023, theorem 1).

    Leaf: one state, nobody waits. Introduce: nothing changes. Forget v: as a centre it opens some number of clusters and
    takes some who wait; as a client it is served by itself or a forgotten centre, or waits. Join: who waits on one side may
    be served by centres of the other. See docs/network/treewidth.md.
    """
    program = _Program(problem, within, deadline)
    try:
        tables = program.run(nice)
    except _TooManyError:
        text = f"theorem 1 needs more than {MOST_STATES} states at width {nice.width} and distance {distance:g}"
        return Answer(None, reason=Reason(text))
    except _TimeIsUpError:
        return Answer(None, reason=Reason("the time limit came first"))
    if not tables:
        text = f"by theorem 1 (treewidth) no clusters are within the distance {distance:g}"
        return Answer(False, reason=Reason(text))
    labels = split_by_centre(problem, replay(nice, tables, program.kinds, problem.n))
    return Answer(True, labels)


class _Program:
    def __init__(self, problem: Problem, within: Balls, deadline: Deadline) -> None:
        self.problem = problem
        self.deadline = deadline
        self.balls = [frozenset(row.tolist()) for row in np.split(within.indices, within.indptr[1:-1])]

    def run(self, nice: NiceDecomposition) -> list[Table]:
        """The tables of all steps; none where there is no solution."""
        tables: list[Table] = []
        stack: list[int] = []
        for step, (kind, v) in enumerate(zip(nice.kinds.tolist(), nice.vertices.tolist(), strict=True)):
            if kind == LEAF:
                table = Table(frozenset(), {((), ()): ((), Move())})
            elif kind == JOIN:
                right, left = tables[stack.pop()], tables[stack.pop()]
                table = self.join(left, right)
            else:
                before = tables[stack.pop()]
                table = self.forget(before, v) if kind == FORGET else _unchanged(before)
            if not table.states:
                return []
            tables.append(table)
            stack.append(step)
        return tables

    def kinds(self, forgotten: frozenset[int]) -> Kinds:
        by_rest: dict[frozenset[int], int] = {}
        first = {v: by_rest.setdefault(self.balls[v] - forgotten, v) for v in sorted(forgotten)}
        return Kinds(first, {v: len(rest) for rest, v in by_rest.items()})

    def forget(self, before: Table, v: int) -> Table:
        forgotten = before.forgotten | {v}
        kinds = self.kinds(forgotten)
        table = Table(forgotten, {})
        for state in before.states:
            for move, waiting, wanted in self.choices(state, v):
                self.add(table, kinds, (state,), move, waiting, wanted)
        return table

    def choices(self, state: State, v: int) -> Iterator[tuple[Move, dict[int, int], dict[int, tuple[int, int]]]]:
        """What v may do: the clusters it opens, who serves it, and whom of those who wait it takes."""
        near = [(kind, count) for kind, count in state[0] if v in self.balls[kind]]
        servers = [kind for kind, _, most in state[1] if most and v in self.balls[kind]]
        for least, most in self.offers(v):
            for server in [WAITS, *servers, *([v] if most else [])]:
                for taken in _amounts(near, most - (server == v)):
                    waiting, wanted = dict(state[0]), {kind: (low, high) for kind, low, high in state[1]}
                    for kind, count in taken:
                        waiting[kind] -= count
                    served = sum(count for _, count in taken) + (server == v)
                    if most:
                        wanted[v] = max(0, least - served), most - served
                    if server == WAITS:
                        waiting[v] = 1
                    elif server != v:
                        wanted[server] = max(0, wanted[server][0] - 1), wanted[server][1] - 1
                    yield Move(least, most, server, taken), waiting, wanted

    def offers(self, v: int) -> Iterator[tuple[int, int]]:
        """The least and the most clients of the clusters that v may open: none, one, two, ... of them.

        Where every number from `lower` on can be cut into allowed sizes, one cluster without a limit stands for all.
        """
        yield 0, 0
        around, lower, upper = len(self.balls[v]), self.problem.lower, self.problem.upper
        if self.problem.splits:
            if around >= lower:
                yield lower, around
            return
        for opened in range(1, around // lower + 1):
            yield lower * opened, min(around, upper * opened)

    def join(self, left: Table, right: Table) -> Table:
        forgotten = left.forgotten | right.forgotten
        kinds = self.kinds(forgotten)
        table = Table(forgotten, {})
        for left_state in left.states:
            for right_state in right.states:
                for first, waiting, other_wanted in self.crossings(left_state[0], right_state[1]):
                    for second, other_waiting, wanted in self.crossings(right_state[0], left_state[1]):
                        all_waiting, all_wanted = waiting | other_waiting, wanted | other_wanted
                        self.add(
                            table,
                            kinds,
                            (left_state, right_state),
                            Move(crossed=first + second),
                            all_waiting,
                            all_wanted,
                        )
        return table

    def crossings(
        self, waiting: Waiting, wanted: Wanted
    ) -> Iterator[tuple[tuple[tuple[int, int, int], ...], dict[int, int], dict[int, tuple[int, int]]]]:
        """All ways in which centres of one side serve clients of the other, with what is left of both."""
        ways: list[tuple[tuple[tuple[int, int, int], ...], dict[int, int]]]
        ways = [((), dict(waiting))]
        wants = {kind: (low, high) for kind, low, high in wanted}
        for centre, (_, high) in wants.items():
            longer = []
            for crossed, left in ways:
                near = [(kind, count) for kind, count in left.items() if count and centre in self.balls[kind]]
                for taken in _amounts(near, high):
                    rest = left | {kind: left[kind] - count for kind, count in taken}
                    longer.append((crossed + tuple((kind, centre, count) for kind, count in taken), rest))
            ways = longer
        for crossed, left in ways:
            got = {centre: sum(count for _, to, count in crossed if to == centre) for centre in wants}
            yield crossed, left, {c: (max(0, low - got[c]), high - got[c]) for c, (low, high) in wants.items()}

    def add(
        self,
        table: Table,
        kinds: Kinds,
        before: tuple[State, ...],
        move: Move,
        waiting: dict[int, int],
        wanted: dict[int, tuple[int, int]],
    ) -> None:
        state = _settled(kinds, waiting, wanted)
        if state is None or state in table.states:
            return
        table.states[state] = (before, move)
        if len(table.states) > MOST_STATES:
            raise _TooManyError
        if len(table.states) % 256 == 1 and self.deadline.passed:
            raise _TimeIsUpError


def _unchanged(before: Table) -> Table:
    return Table(before.forgotten, {state: ((state,), Move()) for state in before.states})


def _settled(kinds: Kinds, waiting: dict[int, int], wanted: dict[int, tuple[int, int]]) -> State | None:
    """The state by the kinds after a step; None if someone waits or is wanted and nobody near is left."""
    clients: dict[int, int] = {}
    for v, count in waiting.items():
        if count:
            clients[kinds.first[v]] = clients.get(kinds.first[v], 0) + count
    centres: dict[int, tuple[int, int]] = {}
    for v, (low, high) in wanted.items():
        others = centres.get(kinds.first[v], (0, 0))
        centres[kinds.first[v]] = others[0] + low, others[1] + high
    if any(not kinds.room[kind] for kind in clients) or any(
        low > kinds.room[kind] for kind, (low, _) in centres.items()
    ):
        return None
    demand = ((kind, low, min(high, kinds.room[kind])) for kind, (low, high) in sorted(centres.items()))
    return tuple(sorted(clients.items())), tuple(entry for entry in demand if entry[2])


def _amounts(near: list[tuple[int, int]], most: int) -> list[tuple[tuple[int, int], ...]]:
    """All ways to take up to so many of each kind, and up to `most` together."""
    ways: list[tuple[int, tuple[tuple[int, int], ...]]] = [(0, ())]
    for kind, count in near:
        ways = [
            (total + some, (*taken, (kind, some)) if some else taken)
            for total, taken in ways
            for some in range(min(count, most - total) + 1)
        ]
    return [taken for _, taken in ways]
