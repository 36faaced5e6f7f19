"""Clusters of networks: who shares one, and the centre that all of it is near to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.patches import Ellipse
from style import BLUE, COLOURS, DARK, GREEN, GREY, ORANGE, PURPLE, RED, SKY, bare, canvas, colours, legend

import covey
import covey.network

if TYPE_CHECKING:
    from collections.abc import Mapping

    from covey.network import NetworkSolution

    Places = Mapping[Any, Any]


def _edges(axes: Any, graph: nx.Graph, at: Places, colour: str = GREY, width: float = 0.8) -> None:
    axes.add_collection(
        LineCollection([[at[u], at[v]] for u, v in graph.edges], colors=colour, linewidths=width, zorder=0)
    )


def _clusters(axes: Any, graph: nx.Graph, at: Places, found: NetworkSolution, *, served: bool = False) -> None:
    """Vertices in the colour of their cluster, edges inside it thick, the centre with a ring."""
    _edges(axes, graph, at)
    clusters = found.clusters()
    for number, (cluster, centre, colour) in enumerate(
        zip(clusters, found.centres, colours(len(clusters)), strict=True)
    ):
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


def _geometric(n: int = 60, seed: int = 2, radius: float = 0.19) -> tuple[nx.Graph, Places]:
    graph = nx.random_geometric_graph(n, radius, seed=seed)
    graph = graph.subgraph(max(nx.connected_components(graph), key=len)).copy()
    return graph, nx.get_node_attributes(graph, "pos")


def microaggregate() -> None:
    """The same network, with and without connection."""
    _, axes = canvas(8.4, 3.8, 2)
    graph, at = _geometric()
    for each, connected in zip(axes, (False, True), strict=True):
        found = covey.network.microaggregate(graph, 5, 9, connected=connected)
        _clusters(each, graph, at, found, served=not connected)
        what = "connected" if connected else "need not be connected"
        each.set_title(f"{what}: radius {found.radius:g}, {found.status}", fontsize=10, color=DARK)


def milp() -> None:
    """Who is served by which centre."""
    _, axes = canvas(5.2, 4.4)
    graph, at = _geometric(45, 1, 0.22)
    found = covey.network.microaggregate(graph, 4, objective="sum", method="milp")
    _clusters(axes, graph, at, found, served=True)
    axes.set_title(f"sum of distances {found.total:g}, {found.status}; rings: centres", fontsize=10, color=DARK)


def pipeline() -> None:
    """The bracket of bounds, and the clusters that close it."""
    _, axes = canvas(8.4, 3.6, 2)
    graph = nx.florentine_families_graph()
    at = nx.kamada_kawai_layout(graph)
    found = covey.network.microaggregate(graph, 3, 5, connected=True, method="pipeline")
    carved = covey.network.microaggregate(graph, 3, 5, connected=True, method="carving")
    free = covey.network.microaggregate(graph, 3, 5, method="milp")
    for row, (name, value, colour, marker) in enumerate(
        (
            ("carved: attained", carved.radius, ORANGE, "o"),
            ("not connected: a bound", free.bound, GREEN, "^"),
            ("decided", found.radius, BLUE, "D"),
        )
    ):
        axes[0].scatter(value, row, s=60, color=colour, marker=marker)
        axes[0].annotate(
            name, (value, row), xytext=(0, 8), textcoords="offset points", fontsize=9, color=DARK, ha="center"
        )
    axes[0].set(xlim=(0, 4), xticks=range(5), ylim=(-0.5, 2.8), yticks=[], xlabel="radius")
    axes[0].spines["left"].set_visible(False)
    _clusters(axes[1], graph, at, found)
    axes[1].set_title(f"radius {found.radius:g}, {found.status}", fontsize=10, color=DARK)


def treewidth() -> None:
    """A tree, its clusters, and the bags that the dynamic program walks over."""
    _, axes = canvas(8.4, 3.8, 2)
    graph = nx.Graph(nx.random_labeled_tree(26, seed=6))
    at = nx.kamada_kawai_layout(graph)
    found = covey.network.microaggregate(graph, 4, 9, connected=True, method="treewidth")
    _clusters(axes[0], graph, at, found)
    axes[0].set_title(f"clusters: radius {found.radius:g}, {found.status}", fontsize=10, color=DARK)
    root = next(iter(nx.center(graph)))
    _edges(axes[1], graph, at)
    for v, parent in nx.bfs_predecessors(graph, root):
        middle, away = (np.array(at[v]) + at[parent]) / 2, np.subtract(at[v], at[parent])
        angle = float(np.degrees(np.arctan2(away[1], away[0])))
        axes[1].add_patch(
            Ellipse(middle, np.hypot(*away) + 0.16, 0.17, angle=angle, facecolor=SKY, alpha=0.25, edgecolor=BLUE)
        )
    axes[1].scatter(*np.array([at[v] for v in graph]).T, s=20, color=DARK, zorder=2)
    axes[1].scatter(*at[root], s=110, facecolor="none", edgecolor=RED, linewidth=1.4, zorder=3)
    axes[1].set_aspect("equal")
    bare(axes[1], "a decomposition of width 1: bags of two; red: the root")


def _cover_graph() -> tuple[nx.Graph, Places, dict[Any, int]]:
    """Two vertices that touch every edge, and the vertices outside, of three types."""
    graph = nx.Graph([("ada", "ben")])
    kinds = {"ada": 3, "ben": 4}
    at = {"ada": (-1.0, 0.0), "ben": (1.0, 0.0)}
    for kind, (ends, x) in enumerate(((("ada",), -2.2), (("ada", "ben"), 0.0), (("ben",), 2.2))):
        for number in range(6):
            name = f"{kind}-{number}"
            graph.add_edges_from((end, name) for end in ends)
            kinds[name] = kind
            at[name] = (
                x + (0.35 * (number - 2.5) if kind == 1 else 0.0),
                0.42 * (number - 2.5) if kind != 1 else 1.3 * (-1) ** number,
            )
    return graph, at, kinds


def vertex_cover() -> None:
    """The cover, and the types of all others."""
    _, axes = canvas(6.4, 3.2)
    graph, at, kinds = _cover_graph()
    _edges(axes, graph, at)
    for v, kind in kinds.items():
        shade, marker, size = (
            (BLUE, "o", 40)
            if kind == 0
            else (GREEN, "s", 40)
            if kind == 1
            else (ORANGE, "^", 46)
            if kind == 2
            else (RED, "*", 220)
        )
        axes.scatter(*at[v], s=size, color=shade, marker=marker, zorder=2)
    axes.set_axis_off()
    axes.margins(0.1)
    legend(
        axes,
        [
            ("the cover", {"marker": "*", "color": RED, "markersize": 11}),
            ("type {ada}", {"marker": "o", "color": BLUE}),
            ("type {ada, ben}", {"marker": "s", "color": GREEN}),
            ("type {ben}", {"marker": "^", "color": ORANGE}),
        ],
        loc="lower center",
        bbox_to_anchor=(0.5, -0.12),
        ncols=4,
    )


def kernel() -> None:
    """A star: what stays and what is taken out."""
    _, axes = canvas(6.4, 3.4)
    leaves, most, lower = 21, 9, 2
    kept = leaves - lower * ((leaves - most) // lower + 1)  # as reduction rule 1 has it for sizes 2 and 3
    angle = np.linspace(0, 2 * np.pi, leaves, endpoint=False)
    spots = np.column_stack([1.6 * np.cos(angle), np.sin(angle)])
    for number, spot in enumerate(spots):
        stays = number < kept
        axes.plot([0, spot[0]], [0, spot[1]], color=GREY, linewidth=0.8, alpha=1.0 if stays else 0.35, zorder=0)
        group = (number - kept) // lower
        axes.scatter(
            *spot, s=40, color=BLUE if stays else COLOURS[1 + group % 6], alpha=1.0 if stays else 0.55, zorder=2
        )
    axes.scatter(0, 0, s=220, marker="*", color=RED, zorder=2)
    axes.set_axis_off()
    axes.margins(0.12)
    axes.set_title(
        f"a star of {leaves} leaves, lower 2, upper 3: {kept} blue leaves stay, pairs of one colour are put back",
        fontsize=10,
        color=DARK,
    )


def cluster_types() -> None:
    """How many of each type are in the clusters of each centre."""
    _, axes = canvas(6.4, 3.4)
    graph, at, _ = _cover_graph()
    found = covey.network.microaggregate(graph, 5, 9, method="cluster-types")
    _clusters(axes, graph, at, found)
    axes.set_aspect("auto")
    axes.set_title(f"radius {found.radius:g}, {found.status}; rings: centres", fontsize=10, color=DARK)


def few_centres() -> None:
    """Centres in the cover first."""
    _, axes = canvas(6.4, 3.4)
    graph, at, _ = _cover_graph()
    found = covey.network.microaggregate(graph, 4, 7, method="few-centres")
    _clusters(axes, graph, at, found, served=True)
    axes.set_aspect("auto")
    outside = len({c for c in found.centres if c not in {"ada", "ben"}})
    axes.set_title(
        f"radius {found.radius:g}, {found.status}; {outside} centres outside the cover", fontsize=10, color=DARK
    )


def carving() -> None:
    """A street map carved into connected clusters."""
    _, axes = canvas(6.4, 4.6)
    graph, at = _geometric(400, 2, 0.075)
    found = covey.network.microaggregate(graph, 10, 19, connected=True, method="carving")
    _clusters(axes, graph, at, found)
    axes.set_title(
        f"{graph.number_of_nodes()} vertices, {len(found.partition)} clusters, radius {found.radius:g}, at least {found.bound:g}",
        fontsize=10,
        color=DARK,
    )


def gather() -> None:
    """Clusters of at most twice the least radius."""
    _, axes = canvas(8.4, 3.8, 2)
    graph, at = _geometric()
    for each, method in zip(axes, ("gather", "milp"), strict=True):
        found = covey.network.microaggregate(graph, 5, method=method)
        _clusters(each, graph, at, found, served=True)
        each.set_title(f"{method}: radius {found.radius:g}, at least {found.bound:g}", fontsize=10, color=DARK)


def degree() -> None:
    """How many vertices have each number of neighbours, before and after."""
    _, axes = canvas(7.0, 2.8)
    graph = nx.les_miserables_graph()
    done = covey.network.degree_anonymous(graph, k=5, seed=1)
    before = np.bincount([d for _, d in graph.degree()])
    after = np.bincount([d for _, d in done.to_networkx().degree()], minlength=len(before))
    place = np.arange(max(len(before), len(after)))
    before, after = np.pad(before, (0, len(place) - len(before))), np.pad(after, (0, len(place) - len(after)))
    axes.bar(place - 0.2, before, width=0.4, color=ORANGE, label="original")
    axes.bar(place + 0.2, after, width=0.4, color=BLUE, label="published")
    axes.axhline(5, color=GREY, linestyle="--", linewidth=0.8)
    axes.annotate("k = 5", (len(place) - 1, 5.2), fontsize=8, color=DARK, ha="right")
    axes.set(xlabel="number of neighbours (Les Misérables)", ylabel="vertices")
    axes.legend(frameon=False, fontsize=8)


def release() -> None:
    """A network and what is published of it."""
    _, axes = canvas(8.4, 3.8, 2)
    graph, at = _geometric(110, 7, 0.15)
    _edges(axes[0], graph, at)
    axes[0].scatter(*np.array([at[v] for v in graph]).T, s=16, color=ORANGE, zorder=2)
    done = covey.network.release(graph, 5, connected=True, seed=3)
    published = done.to_networkx()
    spot = nx.kamada_kawai_layout(published)
    _edges(axes[1], published, spot, width=1.4)
    for v, facts in published.nodes(data=True):
        axes[1].scatter(*spot[v], s=60 * facts["size"], color=PURPLE, alpha=0.75, zorder=2)
        axes[1].annotate(str(facts["size"]), spot[v], ha="center", va="center", fontsize=8, color="white", zorder=3)
    for each, title in zip(axes, ("the network (private)", "published: a disc a cluster, with its size"), strict=True):
        bare(each, title)
