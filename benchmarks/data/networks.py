"""Large random networks, from a seed, as `covey.network.graph.Network`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from covey.network.graph import Network, build

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray


def grid(n: int, rng: np.random.Generator) -> NDArray[Any]:  # noqa: ARG001
    """A square of unit steps."""
    at = np.arange(n).reshape(int(n**0.5), -1)
    across = np.stack([at[:, :-1].ravel(), at[:, 1:].ravel()], axis=1)
    return np.concatenate([across, np.stack([at[:-1].ravel(), at[1:].ravel()], axis=1)])


def small_world(n: int, rng: np.random.Generator, degree: int) -> NDArray[Any]:
    """Watts and Strogatz: a ring whose edges are led elsewhere with probability 0.1, from their first end."""
    tails = np.tile(np.arange(n), degree // 2)
    heads = np.concatenate([(np.arange(n) + step) % n for step in range(1, degree // 2 + 1)])
    elsewhere = rng.random(len(heads)) < 0.1
    heads[elsewhere] = rng.integers(0, n, np.count_nonzero(elsewhere))
    return np.stack([tails, heads], axis=1)


def hubs(n: int, rng: np.random.Generator, edges: int = 3) -> NDArray[Any]:
    """Barabasi and Albert: each new vertex chooses the ends of earlier edges, each end as likely as any other."""
    chosen = (rng.random(n * edges) * (2 * np.arange(n * edges) + 1)).astype(np.int64).tolist()
    ends = [0] * (2 * n * edges)
    for edge, place in enumerate(chosen):
        ends[2 * edge] = edge // edges
        ends[2 * edge + 1] = ends[place] if place < 2 * edge else edge // edges
    return np.array(ends).reshape(-1, 2)


def tree(n: int, rng: np.random.Generator) -> NDArray[Any]:
    """Each vertex hangs on any of those before it."""
    return np.stack([np.arange(1, n), (rng.random(n - 1) * np.arange(1, n)).astype(np.int64)], axis=1)


def star(n: int, rng: np.random.Generator) -> NDArray[Any]:  # noqa: ARG001
    """One centre."""
    return np.stack([np.arange(1, n), np.zeros(n - 1, dtype=np.int64)], axis=1)


def caterpillar(n: int, rng: np.random.Generator) -> NDArray[Any]:  # noqa: ARG001
    """A path with four legs at each vertex."""
    spine = np.arange(n // 5)
    legs = np.arange(n // 5, n)
    return np.concatenate([np.stack([spine[:-1], spine[1:]], axis=1), np.stack([legs, legs % (n // 5)], axis=1)])


KINDS: dict[str, Callable[[int, np.random.Generator], NDArray[Any]]] = {
    "grid": grid,
    "Watts-Strogatz, degree 4": lambda n, rng: small_world(n, rng, 4),
    "Watts-Strogatz, degree 6": lambda n, rng: small_world(n, rng, 6),
    "Barabasi-Albert, m = 3": hubs,
    "random tree": tree,
    "star": star,
    "caterpillar": caterpillar,
}


def large_network(kind: str, n: int, seed: int) -> Network:
    ends = KINDS[kind](n, np.random.default_rng(seed))
    return build(n, ends[:, 0], ends[:, 1], None, range(n))
