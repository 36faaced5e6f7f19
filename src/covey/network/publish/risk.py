"""What an attacker gains who knows of a vertex how many neighbours it has, or how many they have."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covey.network.publish.attacks import can_count_egos, degree_classes, ego_classes, neighbourhood_classes
from covey.network.publish.kept import candidates_of
from covey.network.publish.measure import NetworkMeasure
from covey.network.publish.supergraph import pairs_inside

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from covey.network.graph import Network
    from covey.utils.arrow import Table
    from covey.utils.typing import Integers


def structure_risk(before: Network, after: Network, k: int) -> list[NetworkMeasure]:
    """Degree and neighbourhood uniqueness of a network and of the graph that is published for it."""
    return [
        _measure(measure, _below(classes(before), least), _below(classes(after), least), _MEANING[name])
        for name, classes in _counted(before, after).items()
        for measure, least in ((f"unique by {name}", 2), (f"fewer than {k} by {name}", k))
    ]


def supergraph_risk(before: Network, vertices: Table, edges: Table, lower: int) -> list[NetworkMeasure]:
    """The same of a super-graph: who finds the cluster of a vertex has found all of it, and no more."""
    sizes = np.array(vertices["size"].to_pylist(), dtype=np.int64)
    candidates = candidates_of(vertices.to_pydict())
    alone = _below(candidates, lower)
    measures = []
    for name, classes in _counted(before).items():
        shared = classes(before)
        unique = _below(candidates, 2)
        measures.append(_measure(f"unique by {name}", _below(shared, 2), unique, _MEANING[name]))
        measures.append(_measure(f"fewer than {lower} by {name}", _below(shared, lower), alone, _MEANING[name]))
    inside = pairs_inside(sizes, directed=before.directed)
    kept = {"degrees", "triangles"} & set(vertices.column_names)
    bound = "edges_high" if kept else "edges_low"  # with what is kept any count of a range may be known
    between = _pairs(vertices, edges, sizes)
    sure = max([_confidence(vertices, inside, bound), _confidence(edges, between, bound)])
    chance = "The largest chance, for an attacker who knows the cluster of the vertex."
    meaning = "The largest share of pairs of two clusters, or of one, that are known to be linked."
    return [
        *measures,
        _measure("chance to find a vertex", None, float(1 / candidates.min()), chance),
        _measure("confidence in a link", None, sure, meaning),
    ]


def _counted(*networks: Network) -> Mapping[str, Callable[[Network], Integers]]:
    """What attackers may know, but for what would take too long to count."""
    named: dict[str, Callable[[Network], Integers]] = {"degree": degree_classes, "neighbourhood": neighbourhood_classes}
    return named | ({"1-neighbourhood": ego_classes} if all(map(can_count_egos, networks)) else {})


_MEANING = {
    "degree": "Share of vertices that an attacker narrows down to one, or to fewer than asked for, by their number of neighbours.",
    "neighbourhood": "Share of vertices that an attacker narrows down to one, or to fewer than asked for, by how many neighbours their neighbours have.",
    "1-neighbourhood": "Share of vertices that an attacker narrows down to one, or to fewer than asked for, by their neighbours and the edges among these.",
}


def _measure(measure: str, before: float | None, after: float, meaning: str) -> NetworkMeasure:
    return NetworkMeasure(measure, before, after, "lower", meaning)


def _below(classes: Integers, least: int) -> float:
    return float(np.mean(classes < least))


def _confidence(table: Table, pairs: Integers, bound: str) -> float:
    counts = np.array(table[bound].to_pylist(), dtype=np.float64)
    return float(np.max(counts / np.maximum(pairs, 1), initial=0.0))


def _pairs(vertices: Table, edges: Table, sizes: Integers) -> Integers:
    place = {name: number for number, name in enumerate(vertices["cluster"].to_pylist())}
    ends = [[place[name] for name in edges[end].to_pylist()] for end in ("source", "target")]
    return sizes[np.array(ends[0], dtype=np.int64)] * sizes[np.array(ends[1], dtype=np.int64)]
