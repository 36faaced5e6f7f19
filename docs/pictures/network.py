"""Clusters of networks: who shares one, and the centre that all of it is near to."""

from __future__ import annotations

import networkx as nx
import numpy as np
from graphs import clusters, edges, geometric
from matplotlib.patches import Ellipse
from style import BLUE, DARK, GREEN, GREY, ORANGE, PURPLE, RED, SKY, bare, canvas

import covey
import covey.network


def microaggregate() -> None:
    """The same network, with and without connection."""
    _, axes = canvas(8.4, 3.8, 2)
    graph, at = geometric()
    for each, connected in zip(axes, (False, True), strict=True):
        found = covey.network.microaggregate(graph, 5, 9, connected=connected)
        clusters(each, graph, at, found, served=not connected)
        what = "connected" if connected else "need not be connected"
        each.set_title(f"{what}: radius {found.radius:g}, {found.status}", fontsize=10, color=DARK)


def milp() -> None:
    """Who is served by which centre."""
    _, axes = canvas(5.2, 4.4)
    graph, at = geometric(45, 1, 0.22)
    found = covey.network.microaggregate(graph, 4, objective="sum", method="milp")
    clusters(axes, graph, at, found, served=True)
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
    clusters(axes[1], graph, at, found)
    axes[1].set_title(f"radius {found.radius:g}, {found.status}", fontsize=10, color=DARK)


def treewidth() -> None:
    """A tree, its clusters, and the bags that the dynamic program walks over."""
    _, axes = canvas(8.4, 3.8, 2)
    graph = nx.Graph(nx.random_labeled_tree(26, seed=6))
    at = nx.kamada_kawai_layout(graph)
    found = covey.network.microaggregate(graph, 4, 9, connected=True, method="treewidth")
    clusters(axes[0], graph, at, found)
    axes[0].set_title(f"clusters: radius {found.radius:g}, {found.status}", fontsize=10, color=DARK)
    root = next(iter(nx.center(graph)))
    edges(axes[1], graph, at)
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


def carving() -> None:
    """A street map carved into connected clusters."""
    _, axes = canvas(6.4, 4.6)
    graph, at = geometric(400, 2, 0.075)
    found = covey.network.microaggregate(graph, 10, 19, connected=True, method="carving")
    clusters(axes, graph, at, found)
    axes.set_title(
        f"{graph.number_of_nodes()} vertices, {len(found.partition)} clusters, radius {found.radius:g}, at least {found.bound:g}",
        fontsize=10,
        color=DARK,
    )


def gather() -> None:
    """Clusters of at most twice the least radius."""
    _, axes = canvas(8.4, 3.8, 2)
    graph, at = geometric()
    for each, method in zip(axes, ("gather", "milp"), strict=True):
        found = covey.network.microaggregate(graph, 5, method=method)
        clusters(each, graph, at, found, served=True)
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
    graph, at = geometric(110, 7, 0.15)
    edges(axes[0], graph, at)
    axes[0].scatter(*np.array([at[v] for v in graph]).T, s=16, color=ORANGE, zorder=2)
    done = covey.network.release(graph, 5, connected=True, seed=3)
    published = done.to_networkx()
    spot = nx.kamada_kawai_layout(published)
    edges(axes[1], published, spot, width=1.4)
    for v, facts in published.nodes(data=True):
        axes[1].scatter(*spot[v], s=60 * facts["size"], color=PURPLE, alpha=0.75, zorder=2)
        axes[1].annotate(str(facts["size"]), spot[v], ha="center", va="center", fontsize=8, color="white", zorder=3)
    for each, title in zip(axes, ("the network (private)", "published: a disc a cluster, with its size"), strict=True):
        bare(each, title)
