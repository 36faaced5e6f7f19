"""How far clusters of networks reach: twelve families, whether the least radius is proven, and how far the sum is from its bound.

usage: python -m benchmarks.network_reach.run [--only SECTION ...] [--n N ...] [--sizes K ...] [--limit SECONDS]
Writes benchmarks/results/network-reach-SECTION.json. Every family in a process of its own, whose peak memory is told; `auto` has
--limit seconds for each cell (60).
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from benchmarks.harness.measure import in_new_process, write
from benchmarks.harness.sections import section_parser

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

SIZES = (3, 5, 10)
PROVEN_WANTED = {1_000: 0.8, 10_000: 0.8, 100_000: 0.6}
"""The share of cells whose radius is to be proven."""
GAP_WANTED = 20.0
"""In percent, of the sum at 10,000 vertices."""

FAMILIES = {
    "grid": "nx.grid_2d_graph(side, side)",
    "road-like": "roads(side)",
    "tree-like": "tree_like(n)",
    "tree": "nx.random_labeled_tree(n, seed=1)",
    "Barabasi-Albert, m = 3": "nx.barabasi_albert_graph(n, 3, seed=1)",
    "power law and triangles": "nx.powerlaw_cluster_graph(n, 3, 0.5, seed=1)",
    "Watts-Strogatz, degree 6": "nx.connected_watts_strogatz_graph(n, 6, 0.1, seed=1)",
    "geometric, degree 8": "nx.random_geometric_graph(n, (8 / (3.1416 * n)) ** 0.5, seed=1)",
    "planar (Delaunay, thinned)": "planar(n)",
    "blocks": "nx.random_partition_graph([20] * (n // 20), 0.3, 2 / n, seed=1)",
    "bipartite": "nx.bipartite.random_graph(n // 2, n // 2, 6 / n, seed=1)",
    "reductions": "reductions(n)",
}

CODE = """
import json, random, resource, sys, time
import networkx as nx
import numpy as np
import covey.network
from covey.network.reading import as_network
n, side = {n}, round({n} ** 0.5)
draw = random.Random(1)

def roads(side):  # a street grid: one street in five is closed, crossings are cut by vertices on the way
    graph = nx.grid_2d_graph(side // 2, side // 2)
    graph.remove_edges_from([edge for edge in list(graph.edges) if draw.random() < 0.2])
    for one, other in list(graph.edges):
        if draw.random() < 0.8:
            graph.remove_edge(one, other)
            middle = (one, other)
            graph.add_edge(one, middle)
            graph.add_edge(middle, other)
    for one in list(graph):
        if draw.random() < 0.5:
            graph.add_edge(one, ("end", one))
    return graph

def tree_like(n):
    graph = nx.random_labeled_tree(n, seed=1)
    graph.add_edges_from((draw.randrange(n), draw.randrange(n)) for _ in range(n // 50))
    return graph

def planar(n):
    from scipy.spatial import Delaunay
    triangles = Delaunay(np.random.default_rng(1).random((n, 2))).simplices
    graph = nx.Graph()
    graph.add_nodes_from(range(n))
    for a, b, c in triangles.tolist():
        graph.add_edges_from([(a, b), (b, c), (c, a)])
    graph.remove_edges_from([edge for edge in list(graph.edges) if draw.random() < 0.3])
    return graph

def reductions(n):  # of subset sum: theorem 11
    from covey.network.instances import subset_sum
    copies = max(1, n // 210)
    network = subset_sum([(2, 1), (1, 2), (3, 0), (0, 3), (1, 1)] * copies, (4 * copies, 4 * copies)).network
    return nx.Graph(list(zip(*(ends.tolist() for ends in network.edges()[:2]))))

def largest(graph):
    return graph.subgraph(max(nx.connected_components(graph), key=len))

for module in ("scipy.optimize", "scipy.sparse.csgraph", "ortools.sat.python.cp_model"):
    __import__(module)
network = as_network(largest({graph}))
for k in {sizes}:
    for connected in (False, True):
        start, cpu = time.perf_counter(), time.process_time()
        found = covey.network.microaggregate(network, k, connected=connected, objective={objective!r}, method={method!r}, time_limit={limit})
        print(json.dumps({{
            "n": network.n, "m": network.m, "k": k, "connected": connected, "status": found.status, "by": found.method.name,
            "loss": None if found.partition is None else found.loss, "bound": None if found.status == "infeasible" else found.bound,
            "seconds": time.perf_counter() - start, "cpu_seconds": time.process_time() - cpu,
            "gib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20,
        }}), flush=True)
"""
SECTIONS = {"radius": ("radius", "auto"), "sum": ("sum", "carving")}


def measured(section: str, options: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """What is known after each family: a long run that is cut short has measured something."""
    objective, method = SECTIONS[section]
    rows: list[dict[str, Any]] = []
    for n in options.n:
        for family, graph in FAMILIES.items():
            fields = {"n": n, "graph": graph, "sizes": tuple(options.sizes), "objective": objective, "method": method}
            lines = in_new_process(CODE.format(**fields, limit=options.limit)).splitlines()
            rows += [{"family": family, "asked": n, **json.loads(line)} for line in lines]
            proven = sum(row["status"] in ("optimal", "infeasible") for row in rows[-len(lines) :])
            print(f"{family} {n}: {proven} of {len(lines)} proven", flush=True)
            yield {"rows": rows, "limit": options.limit, "proven_wanted": PROVEN_WANTED, "gap_wanted": GAP_WANTED}


def main() -> None:
    parser = section_parser(__doc__, SECTIONS)
    parser.add_argument("--n", type=int, nargs="*", default=[1_000, 10_000, 100_000])
    parser.add_argument("--sizes", type=int, nargs="*", default=list(SIZES))
    parser.add_argument("--limit", type=float, default=60.0)
    options = parser.parse_args()
    for section in options.only:
        told = f"--only {section} --n {' '.join(map(str, options.n))} --sizes {' '.join(map(str, options.sizes))} --limit {options.limit:g}"
        for content in measured(section, options):
            write(f"network-reach-{section}", "network_reach", content, told)


if __name__ == "__main__":
    main()
