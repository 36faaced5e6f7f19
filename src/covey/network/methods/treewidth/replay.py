"""From the states of theorem 1 to clusters: the moves are made again, with vertices instead of numbers of vertices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from covey.network.methods.treewidth.decomposition import FORGET, JOIN, LEAF

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from covey.network.methods.treewidth.decomposition import NiceDecomposition


class Move(NamedTuple):
    """A step of the program.

    For forget: the least and the most clients of the clusters that the vertex opens, who serves it (itself, a kind, or -1:
    it waits) and whom it takes, as (kind, count). For join: who crosses, as (kind of client, kind of centre, count).
    """

    least: int = 0
    most: int = 0
    server: int = -1
    taken: tuple[tuple[int, int], ...] = ()
    crossed: tuple[tuple[int, int, int], ...] = ()


@dataclass
class _Offer:
    """A centre and how many clients it still takes."""

    centre: int
    least: int
    most: int


class _Side(NamedTuple):
    """Who waits and who serves, by kind."""

    waiting: dict[int, list[int]]
    offers: dict[int, list[_Offer]]


def replay(
    nice: NiceDecomposition, tables: Sequence[Any], kinds: Callable[[frozenset[int]], Any], n: int
) -> NDArray[np.int32]:
    """The centre of each vertex in the solution that the last table stands for."""
    centres = np.full(n, -1, dtype=np.int32)
    sides: list[_Side] = []
    moves = _moves(nice, tables)
    for step, (kind, v) in enumerate(zip(nice.kinds.tolist(), nice.vertices.tolist(), strict=True)):
        if kind == LEAF:
            sides.append(_Side({}, {}))
        elif kind == JOIN:
            right, left = sides.pop(), sides.pop()
            side = _Side(left.waiting | right.waiting, left.offers | right.offers)
            for client, centre, count in moves[step].crossed:
                _serve(side, client, centre, count, centres)
            sides.append(_renamed(side, kinds(tables[step].forgotten).first))
        elif kind == FORGET:
            _forget(sides[-1], v, moves[step], centres)
            sides.append(_renamed(sides.pop(), kinds(tables[step].forgotten).first))
    return centres


def _moves(nice: NiceDecomposition, tables: Sequence[Any]) -> list[Move]:
    """The move of each step, from the last state back to the leaves."""
    moves: list[Move] = []
    states = [next(iter(tables[-1].states))]
    for step in range(len(nice.kinds) - 1, -1, -1):
        before, move = tables[step].states[states.pop()]
        states.extend(before)
        moves.append(move)
    return moves[::-1]


def _forget(side: _Side, v: int, move: Move, centres: NDArray[np.int32]) -> None:
    if move.most:
        side.offers[v] = [_Offer(v, move.least, move.most)]
    side.waiting[v] = [v]
    if move.server >= 0:
        _serve(side, v, move.server, 1, centres)
    for kind, count in move.taken:
        _serve(side, kind, v, count, centres)


def _serve(side: _Side, client: int, centre: int, count: int, centres: NDArray[np.int32]) -> None:
    """So many clients of a kind go to centres of a kind: to those first that need them."""
    for _ in range(count):
        offer = max(side.offers[centre], key=lambda offer: (offer.least, offer.most))
        offer.least, offer.most = max(0, offer.least - 1), offer.most - 1
        centres[side.waiting[client].pop()] = offer.centre


def _renamed(side: _Side, first: dict[int, int]) -> _Side:
    """The same by the kinds after a step, some of which are now alike."""
    renamed = _Side({}, {})
    for v, clients in side.waiting.items():
        renamed.waiting.setdefault(first[v], []).extend(clients)
    for v, offers in side.offers.items():
        renamed.offers.setdefault(first[v], []).extend(offers)
    return renamed
