"""Networks with a small vertex cover: types of vertices, the kernel, and clusters over types."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np
from graphs import clusters, edges
from style import BLUE, COLOURS, DARK, GREEN, GREY, ORANGE, RED, canvas, legend

import covey
import covey.network

if TYPE_CHECKING:
    from graphs import Places


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
    edges(axes, graph, at)
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
        f"{kept} of {leaves} leaves stay (blue); the others go out in pairs of one colour",
        fontsize=10,
        color=DARK,
    )


def cluster_types() -> None:
    """How many of each type are in the clusters of each centre."""
    _, axes = canvas(6.4, 3.4)
    graph, at, _ = _cover_graph()
    found = covey.network.microaggregate(graph, 5, 9, method="cluster-types")
    clusters(axes, graph, at, found)
    axes.set_aspect("auto")
    axes.set_title(f"radius {found.radius:g}, {found.status}; rings: centres", fontsize=10, color=DARK)


def few_centres() -> None:
    """Centres in the cover first."""
    _, axes = canvas(6.4, 3.4)
    graph, at, _ = _cover_graph()
    found = covey.network.microaggregate(graph, 4, 7, method="few-centres")
    clusters(axes, graph, at, found, served=True)
    axes.set_aspect("auto")
    outside = len({c for c in found.centres if c not in {"ada", "ben"}})
    axes.set_title(
        f"radius {found.radius:g}, {found.status}; {outside} centres outside the cover", fontsize=10, color=DARK
    )
