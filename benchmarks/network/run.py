"""How far the exact methods for networks reach: the smallest radius, proven, and in what time.

usage: python -m benchmarks.network.run [--only SECTION ...]
Writes benchmarks/results/network-SECTION.json; `make bench` runs all of it. Graphs are made by networkx from seeds; each
question runs in a process of its own, several seeds each.
"""

from __future__ import annotations

import json
import statistics
from typing import TYPE_CHECKING, Any, NamedTuple

from benchmarks.harness.measure import in_new_process
from benchmarks.harness.sections import run_sections
from benchmarks.network import hard

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.harness.sections import Measured


class Case(NamedTuple):
    graph: str  # how networkx makes it, from a seed
    lower: int
    upper: int
    connected: bool
    method: str = "auto"
    limit: float | None = None  # seconds that the slowest may take; None: further instances
    objective: str = "radius"
    length: str | None = None  # the attribute of edges


GRAPHS = {
    "tree 2000": "nx.random_labeled_tree(2000, seed=seed)",
    "geometric 2000": "largest(nx.random_geometric_graph(2000, 0.045, seed=seed))",
    "Barabasi-Albert 2000, m = 2": "nx.barabasi_albert_graph(2000, 2, seed=seed)",
    "Barabasi-Albert 2000, m = 3": "nx.barabasi_albert_graph(2000, 3, seed=seed)",
    "Watts-Strogatz 2000, degree 4": "nx.connected_watts_strogatz_graph(2000, 4, 0.1, seed=seed)",
    "Watts-Strogatz 2000, degree 6": "nx.connected_watts_strogatz_graph(2000, 6, 0.1, seed=seed)",
    "grid 31 x 31": "nx.grid_2d_graph(31, 31)",
    "grid 50 x 50": "nx.grid_2d_graph(50, 50)",
    "tree 1,000": "nx.random_labeled_tree(1000, seed=seed)",
    "tree 10,000": "nx.random_labeled_tree(10_000, seed=seed)",
    "karate": "nx.karate_club_graph()",
    "Les Miserables": "nx.les_miserables_graph()",
    "geometric 1000, radius 0.05": "largest(nx.random_geometric_graph(1000, 0.05, seed=seed))",
    "geometric 1000, radius 0.06": "largest(nx.random_geometric_graph(1000, 0.06, seed=seed))",
    "geometric 1000, radius 0.08": "largest(nx.random_geometric_graph(1000, 0.08, seed=seed))",
    "geometric 1000, radius 0.1": "largest(nx.random_geometric_graph(1000, 0.1, seed=seed))",
    "Barabasi-Albert 1000, m = 2": "nx.barabasi_albert_graph(1000, 2, seed=seed)",
    "Barabasi-Albert 1000, m = 3": "nx.barabasi_albert_graph(1000, 3, seed=seed)",
    "Watts-Strogatz 1000, degree 4": "nx.connected_watts_strogatz_graph(1000, 4, 0.1, seed=seed)",
    "power law and triangles 500": "nx.powerlaw_cluster_graph(500, 2, 0.5, seed=seed)",
    "hexagons 15 x 15": "nx.hexagonal_lattice_graph(15, 15)",
    "Davis": "nx.davis_southern_women_graph()",
    "Florentine families": "nx.florentine_families_graph()",
}
FREE = list(GRAPHS)[:6]
NAMED = ("karate", "Les Miserables", "grid 31 x 31", *(name for name in GRAPHS if name.startswith("geometric 1000")))
MORE = ("grid 50 x 50", *list(GRAPHS)[16:])

WIDTHS = {
    "tree 1,000, lengths 1 to 3": "with_lengths(nx.random_labeled_tree(1000, seed=seed), 3)",
    "partial 3-tree 200": "partial_tree(200, 3, seed)",
    "partial 3-tree 200, lengths 1 to 3": "with_lengths(partial_tree(200, 3, seed), 3)",
    "partial 3-tree 200, lengths 1 to 4": "with_lengths(partial_tree(200, 3, seed), 4)",
}
GRAPHS |= WIDTHS

UNCONNECTED = tuple(
    Case(graph, lower, 2 * lower - 1, connected=False, method="milp", limit=5.0) for graph in FREE for lower in (3, 10)
)
TREES = (
    Case("tree 1,000", 5, 15, connected=True, method="treewidth", limit=1.0),
    Case("tree 10,000", 5, 15, connected=True, method="treewidth", limit=10.0),
    Case("tree 1,000", 3, 5, connected=False, method="treewidth", limit=10.0),
    *(
        Case(
            graph,
            3,
            5,
            connected=False,
            method="treewidth",
            limit=10.0,
            length="length" if "lengths" in graph else None,
        )
        for graph in WIDTHS
    ),
)
CONNECTED = tuple(
    Case(graph, lower, 2 * lower - 1, connected=True, method="pipeline", limit=30.0)
    for graph in NAMED
    for lower in (3, 10)
)
FURTHER = (
    *(Case(graph, lower, 2 * lower - 1, connected=True) for graph in MORE for lower in (3, 10)),
    *(Case(graph, 10, 19, connected=False) for graph in ("grid 31 x 31", "grid 50 x 50")),
    *(
        Case(graph, 3, 5, connected=connected, objective="sum")
        for graph in ("karate", "Florentine families", "Davis")
        for connected in (False, True)
    ),
)
SEEDS = (1, 2, 3)

CODE = """
import itertools, json, random, resource, time
import networkx as nx
import covey.network
def largest(graph):
    return graph.subgraph(max(nx.connected_components(graph), key=len))
def partial_tree(n, width, seed):
    draw = random.Random(seed)
    graph = nx.complete_graph(width + 1)
    faces = [list(face) for face in itertools.combinations(range(width + 1), width)]
    for v in range(width + 1, n):
        face = draw.choice(faces)
        graph.add_edges_from((v, w) for w in face)
        faces += [[*face[:place], *face[place + 1 :], v] for place in range(width)]
    needed = set(map(frozenset, nx.minimum_spanning_edges(graph, data=False)))
    graph.remove_edges_from([edge for edge in graph.edges if frozenset(edge) not in needed and draw.random() < 0.5])
    return graph
def with_lengths(graph, longest):
    draw = random.Random(seed)
    nx.set_edge_attributes(graph, {{edge: draw.randint(1, longest) for edge in graph.edges}}, "length")
    return graph
seed = {seed}
graph = {graph}
for module in ("scipy.optimize", "scipy.sparse.csgraph", "ortools.sat.python.cp_model"):
    __import__(module)
start, cpu = time.perf_counter(), time.process_time()
found = covey.network.microaggregate(graph, {lower}, {upper}, connected={connected}, method={method!r}, objective={objective!r}, length={length!r}, time_limit={limit})
print(json.dumps({{
    "seconds": time.perf_counter() - start, "cpu_seconds": time.process_time() - cpu,
    "gib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20,
    "n": len(graph), "m": graph.number_of_edges(), "status": found.status, "by": found.method.name,
    "loss": None if found.partition is None else found.loss, "bound": None if found.status == "infeasible" else found.bound,
}}))
"""


def run(case: Case) -> dict[str, Any]:
    seeds = SEEDS if "seed" in GRAPHS[case.graph] else SEEDS[:1]
    rows = []
    for seed in seeds:
        fields = case._asdict() | {"graph": GRAPHS[case.graph], "seed": seed, "limit": 30.0}
        rows.append(json.loads(in_new_process(CODE.format(**fields))))
        row = rows[-1]
        print(
            f"{case.graph} {case.lower} {seed}: {row['seconds']:.2f} s {row['status']} {row['loss']} {row['bound']}",
            flush=True,
        )
    return case._asdict() | {
        "vertices": [row["n"] for row in rows],
        "edges": [row["m"] for row in rows],
        "seconds": statistics.median(row["seconds"] for row in rows),
        "slowest": max(row["seconds"] for row in rows),
        "gib": max(row["gib"] for row in rows),
        "status": [row["status"] for row in rows],
        "by": sorted({row["by"] for row in rows}),
        "loss": [row["loss"] for row in rows],
        "bound": [row["bound"] for row in rows],
    }


QUESTIONS = {"unconnected": UNCONNECTED, "trees": TREES, "connected": CONNECTED, "further": FURTHER}


def measuring(cases: tuple[Case, ...]) -> Callable[[], Measured]:
    return lambda: {"rows": [run(case) for case in cases]}


SECTIONS = {name: measuring(cases) for name, cases in QUESTIONS.items()} | {"hard": hard.measure}


if __name__ == "__main__":
    run_sections("network", SECTIONS, __doc__)
