"""`Instance`: a question about a network, and its answer; `Plan`: the edges of one while it is built."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from covey.network.graph import build

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from covey.network.graph import Network


@dataclass(frozen=True, eq=False)
class Instance:
    """Whether a network has clusters of `lower` to `upper` vertices within `distance` of a centre, and the answer.

    Attributes
    ----------
    network
        With its lengths; the names of the vertices say what they stand for.
    lower, upper, distance, connected
        The question, as `covey.network.microaggregate` takes it.
    answer
        Whether there are such clusters.
    source
        Where the answer comes from.
    treewidth, cover
        What the treewidth and the vertex cover number are proven to be at most; None: nothing is promised.

    Examples
    --------
    >>> from covey.network import microaggregate
    >>> from covey.network.instances import double_tree
    >>> it = double_tree(upper=5)
    >>> solution = microaggregate(it.network, it.lower, it.upper, it.distance, connected=it.connected)
    >>> it.answer, solution.status
    (True, 'optimal')
    """

    network: Network
    lower: int
    upper: int
    distance: int
    connected: bool
    answer: bool
    source: str
    treewidth: int | None = None
    cover: int | None = None


@dataclass
class Plan:
    """Edges with whole lengths, added one after the other; a vertex is there once an edge names it."""

    numbers: dict[Hashable, int] = field(default_factory=dict)
    edges: list[tuple[int, int, int]] = field(default_factory=list)

    def edge(self, tail: Hashable, head: Hashable, length: int) -> None:
        """Connect two vertices."""
        tail_number = self.numbers.setdefault(tail, len(self.numbers))
        self.edges.append((tail_number, self.numbers.setdefault(head, len(self.numbers)), length))

    def star(self, centre: Hashable, leaves: Iterable[Hashable], length: int) -> None:
        """Connect a vertex with several."""
        for leaf in leaves:
            self.edge(centre, leaf, length)

    def leaves(self, centre: Hashable, count: int, length: int) -> None:
        """Hang new vertices on one; nothing else touches them."""
        self.star(centre, [("leaf", centre, number) for number in range(count)], length)

    def network(self) -> Network:
        """All of it."""
        tails, heads, lengths = np.array(self.edges, dtype=np.int64).reshape(-1, 3).T
        return build(len(self.numbers), tails, heads, lengths.astype(np.float64), list(self.numbers))
