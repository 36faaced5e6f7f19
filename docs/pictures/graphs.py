"""What the pictures of networks share: edges, clusters with their centres, and a network that looks like streets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np
from matplotlib.collections import LineCollection
from style import COLOURS, DARK, GREY, bare, colours

if TYPE_CHECKING:
    from collections.abc import Mapping

    from covey.network import NetworkSolution

    Places = Mapping[Any, Any]


def edges(axes: Any, graph: nx.Graph, at: Places, colour: str = GREY, width: float = 0.8) -> None:
    axes.add_collection(
        LineCollection([[at[u], at[v]] for u, v in graph.edges], colors=colour, linewidths=width, zorder=0)
    )


def clusters(axes: Any, graph: nx.Graph, at: Places, found: NetworkSolution, *, served: bool = False) -> None:
    """Vertices in the colour of their cluster, edges inside it thick, the centre with a ring."""
    edges(axes, graph, at)
    members = found.clusters()
    for number, (cluster, centre, colour) in enumerate(zip(members, found.centres, colours(len(members)), strict=True)):
        place = np.array([at[v] for v in cluster])
        if served:
            lines = [[at[v], at[centre]] for v in cluster]
            axes.add_collection(LineCollection(lines, colors=colour, linewidths=1.2, linestyles=":", zorder=1))
        else:
            inside = graph.subgraph(cluster)
            axes.add_collection(
                LineCollection([[at[u], at[v]] for u, v in inside.edges], colors=colour, linewidths=2.2, zorder=1)
            )
        axes.scatter(*place.T, s=34, color=colour, zorder=2, marker="os^Dv"[number // len(COLOURS) % 5])
        axes.scatter(*at[centre], s=110, facecolor="none", edgecolor=DARK, linewidth=1.1, zorder=3)
    axes.set_aspect("equal")
    bare(axes)


def geometric(n: int = 60, seed: int = 2, radius: float = 0.19) -> tuple[nx.Graph, Places]:
    graph = nx.random_geometric_graph(n, radius, seed=seed)
    graph = graph.subgraph(max(nx.connected_components(graph), key=len)).copy()
    return graph, nx.get_node_attributes(graph, "pos")
