"""Drawings of networks as inline SVG. Needs the extras `report` (matplotlib) and `network` (networkx).

The place of a cluster follows from the published links alone, never from where its vertices would be in the original.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from covey.report.plots import BLUE, ORANGE, figure_of, svg
from covey.utils.extras import load

if TYPE_CHECKING:
    from collections.abc import Mapping

    from covey.network.graph import Network
    from covey.utils.typing import Floats, Points

_MOST_VERTICES = 1500
_MOST_EDGES = 20_000
_FEW = 60
"""So many clusters have room for their names, and discs and lines of full size."""


def draw_supergraph(vertices: Any, edges: Any) -> str:
    """The clusters as discs of their size, darker where they are denser, joined by lines as thick as their counts; "" if too many."""
    names = vertices["cluster"].to_pylist()
    if len(names) > _MOST_VERTICES or edges.num_rows > _MOST_EDGES:
        return ""
    place = {name: number for number, name in enumerate(names)}
    ends = [
        (place[one], place[other])
        for one, other in zip(edges["source"].to_pylist(), edges["target"].to_pylist(), strict=True)
    ]
    counts = np.array([value or 1 for value in edges["edges"].to_pylist()], dtype=np.float64)
    at = _layout(len(names), ends, counts)
    figure, axes = figure_of(8, 5)
    most = 4.0 * min(1.0, float(np.sqrt(_FEW / max(1, len(counts)))))
    widths = most * np.sqrt(counts / counts.max()) if len(counts) else None
    _lines(axes, at, ends, widths)
    _discs(figure, axes, at, vertices)
    return _finished(figure, axes, f"The clusters, {len(names)}, and the links between them")


def _discs(figure: Any, axes: Any, at: Points, vertices: Any) -> None:
    """The clusters, with their names and sizes where there are few."""
    names = vertices["cluster"].to_pylist()
    sizes = np.array(vertices["size"].to_pylist(), dtype=np.float64)
    density = [0.0 if value is None else value for value in vertices["density"].to_pylist()]
    scale = 420.0 * min(1.0, _FEW / max(1, len(names)))
    drawn = axes.scatter(
        at[:, 0],
        at[:, 1],
        s=scale * sizes / sizes.mean(),
        c=density,
        cmap="Blues",
        vmin=-0.3,
        vmax=1.0,
        edgecolors="#224466",
        linewidths=0.7,
        zorder=2,
    )
    bar = figure.colorbar(drawn, ax=axes, shrink=0.5, label="density inside, from published counts")
    bar.ax.set_ylim(0, 1)
    if len(names) <= _FEW:
        for name, size, where, dark in zip(names, sizes, at, density, strict=True):
            colour = "white" if dark > 0.5 else "#222222"
            axes.annotate(f"{name}\n{size:.0f}", where, ha="center", va="center", fontsize=7, color=colour, zorder=3)


def draw_network(network: Network) -> str:
    """A network as it is, without names: for internal reports; "" if it is too large to be read."""
    tails, heads, _ = network.edges()
    return _draw(network.n, list(zip(tails.tolist(), heads.tolist(), strict=True)), ORANGE)


def draw_graph(vertices: Any, edges: Any) -> str:
    """A published graph, without names; "" if it is too large to be read."""
    place = {name: number for number, name in enumerate(vertices["vertex"].to_pylist())}
    rows = zip(edges["source"].to_pylist(), edges["target"].to_pylist(), strict=True)
    return _draw(len(place), [(place[one], place[other]) for one, other in rows], BLUE)


def _draw(n: int, ends: list[tuple[int, int]], colour: str) -> str:
    if n > _MOST_VERTICES or len(ends) > _MOST_EDGES:
        return ""
    at = _layout(n, ends, np.ones(len(ends)))
    figure, axes = figure_of(8, 5)
    _lines(axes, at, ends, None)
    axes.scatter(at[:, 0], at[:, 1], s=max(6.0, 60.0 - n / 20), color=colour, zorder=2)
    return _finished(figure, axes, f"The vertices, {n}, and the edges between them, {len(ends)}")


def draw_sizes(sizes: Mapping[int, int], what: str) -> str:
    """How many classes there are of each size."""
    figure, axes = figure_of(6, 2.4)
    shown = sorted(sizes)[:40]
    more = f" ({len(sizes) - 40} larger sizes are left out)" if len(sizes) > 40 else ""
    axes.bar([str(size) for size in shown], [sizes[size] for size in shown], color=BLUE, width=0.6)
    axes.margins(x=max(0.05, 0.5 - 0.05 * len(shown)))
    axes.set(xlabel=f"{what}{more}", ylabel="number")
    return svg(figure, f"How often there is each number of {what}")


def _layout(n: int, ends: list[tuple[int, int]], weights: Floats) -> Floats:
    """Where to draw the vertices: springs, always from the same start."""
    networkx = load("networkx")
    graph = networkx.Graph()
    graph.add_nodes_from(range(n))
    graph.add_weighted_edges_from(
        (one, other, float(w)) for (one, other), w in zip(ends, np.sqrt(weights), strict=True)
    )
    if n == 1:
        return np.zeros((1, 2))
    found = networkx.spring_layout(graph, seed=0, iterations=120, k=1.6 / np.sqrt(n))
    return np.array([found[v] for v in range(n)])


def _lines(axes: Any, at: Floats, ends: list[tuple[int, int]], widths: Any) -> None:
    segments = [[at[one], at[other]] for one, other in ends]
    lines = load("matplotlib.collections").LineCollection(
        segments, colors="#9aa7b5", linewidths=0.6 if widths is None else widths, alpha=0.7, zorder=1
    )
    axes.add_collection(lines)


def _finished(figure: Any, axes: Any, name: str) -> str:
    axes.set_axis_off()
    axes.margins(0.08)
    return svg(figure, name)
