"""What no grouping of whole units can lose less than: a bound for each composition, by a linear program over pairs of units.

A group G of s units that publishes the means of its slots loses 1/s of the squared distances of its pairs, in the slots that its members
took, and so at least x_uv = 1/s times the least squared distance d_uv of each pair, over all ways to give the members of one the slots of the
other. The units of a group have (s-1)/s >= (k-1)/k in x together, no pair has more than 1/k, and u, v, w in one group are
three pairs in it: x_uv + x_vw - x_uw <= 1/k. The least d x under these is a bound, whatever the grouping and the alignment.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import linear_sum_assignment, linprog
from scipy.sparse import coo_matrix, csr_matrix, vstack

if TYPE_CHECKING:
    from covey.units.vectors import UnitVectors
    from covey.utils.typing import Floats

ROUNDS = 6
"""So often triples that are broken are added."""
ROUNDED = 1 - 1e-6


def distances(units: UnitVectors) -> Floats:
    """The least squared distance of every two units, over all ways to align their members."""
    number = len(units.rows)
    members = units.of_members.reshape(number, units.slots, -1)
    apart = ((units.of_unit[:, None] - units.of_unit[None]) ** 2).sum(axis=-1)
    for u in range(number):
        for v in range(u):
            for start, end in zip(units.starts[:-1], units.starts[1:], strict=True):
                cost = ((members[u, start:end, None] - members[v, None, start:end]) ** 2).sum(axis=-1)
                apart[u, v] += cost[linear_sum_assignment(cost)].sum()
            apart[v, u] = apart[u, v]
    return np.asarray(apart)


def least_loss(units: UnitVectors, k: int) -> float:
    """No groups of at least k of these units lose less."""
    apart = distances(units)
    number = len(apart)
    one, other = np.triu_indices(number, 1)
    pair = np.zeros((number, number), dtype=int)
    pair[one, other] = pair[other, one] = np.arange(len(one))
    degrees = coo_matrix(
        (-np.ones(2 * len(one)), (np.concatenate([one, other]), np.tile(np.arange(len(one)), 2))), (number, len(one))
    ).tocsr()
    limits, triples, bound = np.full(number, -(k - 1) / k), degrees[:0], 0.0
    for _ in range(ROUNDS + 1):
        solved = linprog(
            apart[one, other],
            A_ub=vstack([degrees, triples]),
            b_ub=np.concatenate([limits, np.full(triples.shape[0], 1 / k)]),
            bounds=(0, 1 / k),
            method="highs",
        )
        bound = float(solved.fun)
        broken = _broken(solved.x[pair] * (1 - np.eye(number)), k)
        if not broken:
            break
        triples = vstack([triples, _rows(pair, broken)])
    return bound * ROUNDED


def _broken(shares: Floats, k: int) -> list[tuple[int, int, int]]:
    """Triples u, v, w of which v is with both others more than these are together."""
    found = []
    for v, share in enumerate(shares):
        near = np.flatnonzero(share > 1e-7)
        excess = share[near][:, None] + share[near] - shares[np.ix_(near, near)] > 1 / k + 1e-6
        found += [(int(near[a]), v, int(near[b])) for a, b in np.argwhere(np.triu(excess, 1))]
    return found


def _rows(pair: np.ndarray, triples: list[tuple[int, int, int]]) -> csr_matrix:
    u, v, w = np.array(triples).T
    columns = np.concatenate([pair[u, v], pair[v, w], pair[u, w]])
    signs = np.repeat([1.0, 1.0, -1.0], len(triples))
    return coo_matrix(
        (signs, (np.tile(np.arange(len(triples)), 3), columns)), (len(triples), int(pair.max()) + 1)
    ).tocsr()
