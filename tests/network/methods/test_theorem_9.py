"""The proof that few centres outside a vertex cover are enough, walked move by move on random clusters."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np
import pytest

from covey.network.methods.cover.few_centres import FewCentres

if TYPE_CHECKING:
    from collections.abc import Iterator

HOME = -1


@dataclass
class Cluster:
    """The centre, and through which vertex of the cover it reaches each member."""

    centre: int
    ways: dict[int, int]

    @property
    def through(self) -> frozenset[int]:
        return frozenset(self.ways.values()) - {HOME}

    @property
    def is_home(self) -> bool:
        return HOME in self.ways.values()


class Proof:
    """Clusters whose centres are outside the cover, and the moves of the proof."""

    def __init__(self, rng: np.random.Generator, cover: int, n: int) -> None:
        graph = nx.complete_graph(cover)
        graph.add_nodes_from(range(n))
        for v in range(cover, n):
            graph.add_edges_from((v, m) for m in range(cover) if rng.random() < 0.9)
        nx.set_edge_attributes(graph, {edge: int(rng.integers(3, 12)) for edge in graph.edges}, "length")
        self.far: Any = nx.floyd_warshall_numpy(graph, weight="length")
        self.cover, self.distance = cover, 14
        self.clusters = list(self.at_home(rng, n))
        self.centres: list[int] = []  # of the cover: clusters that need no more thought

    def at_home(self, rng: np.random.Generator, n: int) -> Iterator[Cluster]:
        left = set(range(self.cover, n))
        for c in rng.permutation(n).tolist():
            near = [v for v in sorted(left - {c}) if self.way(c, v) is not None]
            if c not in left or len(near) < 4:
                continue
            members = rng.choice(near, int(rng.integers(1, 5)), replace=False).tolist()
            left -= {c, *members}
            yield Cluster(c, {c: HOME} | {v: self.way(c, v) for v in members})

    def way(self, c: int, v: int) -> Any:
        ways = [m for m in range(self.cover) if self.far[c, m] + self.far[m, v] <= self.distance]
        return ways[(c + v) % len(ways)] if ways else None

    def swap(self) -> bool:
        for one, other in itertools.permutations(self.clusters, 2):
            if one.through != other.through:
                continue
            gap = {m: self.far[one.centre, m] - self.far[other.centre, m] for m in one.through}
            nearer, farther = min(gap, key=gap.__getitem__), max(gap, key=gap.__getitem__)
            if gap[nearer] < 0 < gap[farther]:
                to_one = [v for v, m in other.ways.items() if m == nearer]
                to_other = [v for v, m in one.ways.items() if m == farther]
                for v, w in zip(to_one, to_other, strict=False):
                    one.ways[v], other.ways[w] = other.ways.pop(v), one.ways.pop(w)
                return True
        return False

    def nearest(self, clusters: list[Cluster]) -> int:
        """A centre that is nearest to every vertex of the cover that they go through."""
        return min(
            (cluster.centre for cluster in clusters), key=lambda c: [self.far[c, m] for m in clusters[0].through]
        )

    def leave_home(self) -> bool:
        for through in {cluster.through for cluster in self.clusters}:
            homes = [cluster for cluster in self.clusters if cluster.through == through and cluster.is_home]
            if len(through) > 1 and len(homes) >= 2 * len(through):
                self.clusters = [cluster for cluster in self.clusters if cluster not in homes]
                self.fill(homes)
                return True
        return False

    def fill(self, homes: list[Cluster]) -> None:
        ways = [(v, m) for cluster in homes for v, m in cluster.ways.items()]
        often = Counter(m for _, m in ways if m != HOME).most_common(1)[0][0]
        ways.sort(key=lambda way: (way[1] != HOME, way[1] != often))
        start = 0
        for size in sorted(len(cluster.ways) for cluster in homes):
            members = dict(ways[start : start + size])
            start += size
            if HOME in members.values():
                assert all(self.far[often, v] <= self.distance for v in members)
                self.centres.append(often)
            else:
                self.clusters.append(Cluster(self.nearest(homes), members))

    def check(self) -> None:
        for cluster in self.clusters:
            for v, m in cluster.ways.items():
                assert v == cluster.centre if m == HOME else self.reaches(cluster.centre, m, v)

    def reaches(self, c: int, m: int, v: int) -> bool:
        return bool(self.far[c, m] + self.far[m, v] <= self.distance)

    def outside(self) -> set[int]:
        """The centres that are left, with the nearest one for all that are not at home."""
        centres = set()
        for cluster in self.clusters:
            alike = [other for other in self.clusters if other.through == cluster.through]
            if len(cluster.through) == 1:
                (m,) = cluster.through
                assert all(self.far[m, v] <= self.distance for v in cluster.ways)
            elif cluster.is_home:
                centres.add(cluster.centre)
            else:
                assert all(self.reaches(self.nearest(alike), m, v) for v, m in cluster.ways.items())
                centres.add(self.nearest(alike))
        return centres


@pytest.mark.parametrize("cover", [2, 3])
def test_the_moves_leave_few_centres(cover: int) -> None:
    bound, begun = cover * (2**cover - 2), []
    for seed in range(4):
        proof = Proof(np.random.default_rng(seed), cover, 120 if cover == 2 else 260)
        begun.append(len(proof.clusters))
        while proof.swap() or proof.leave_home():
            proof.check()
        assert len(proof.outside()) <= bound
    assert min(begun) > 2 * bound, "there were few centres to begin with: the test shows little"


def test_single_vertices_need_centres_of_their_own() -> None:
    graph = nx.empty_graph(7)
    assert FewCentres(cover=[]).solve(graph, 1).status == "optimal"
