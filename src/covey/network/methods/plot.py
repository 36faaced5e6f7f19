"""A drawing of clusters: each in a colour, its centre in a ring, the edges inside it darker. Needs the extras `report` and `network`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covey.errors import OptionError
from covey.report.plots import figure_of
from covey.utils.extras import load

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from covey.network.graph import Network
    from covey.utils.typing import Integers, Labels

_MOST_VERTICES = 1500
_COLOURS = 20
_GOLDEN = 0.618034  # neighbouring numbers get colours that are far apart


def plotted(network: Network, labels: Labels, centres: Integers, title: str) -> Figure:
    """The figure; springs place the vertices, always from the same start."""
    if network.n > _MOST_VERTICES:
        msg = f"the network has {network.n} vertices; needed: at most {_MOST_VERTICES} for a drawing that can be read; draw the super-graph of its release"
        raise OptionError(msg)
    networkx = load("networkx")
    graph = networkx.from_scipy_sparse_array(network.to_scipy(), edge_attribute="length")
    places = networkx.spring_layout(graph, seed=0, weight=None, iterations=100)
    at = np.array([places[v] for v in range(network.n)])
    tails, heads, _ = network.edges()
    inside = labels[tails] == labels[heads]
    figure, axes = figure_of(8, 6)
    lines = load("matplotlib.collections").LineCollection
    for kept, colour, width in ((~inside, "#cfd6dd", 0.6), (inside, "#55606b", 1.2)):
        axes.add_collection(lines(at[np.stack([tails[kept], heads[kept]], axis=1)], colors=colour, linewidths=width))
    size = float(np.clip(3000 / network.n, 8, 90))
    colours = np.floor(_COLOURS * (labels * _GOLDEN % 1.0))
    axes.scatter(at[:, 0], at[:, 1], c=colours, cmap="tab20", vmin=0, vmax=_COLOURS - 1, s=size, zorder=2)
    axes.scatter(
        at[centres, 0], at[centres, 1], s=2.5 * size, facecolors="none", edgecolors="#222222", linewidths=1.2, zorder=3
    )
    axes.set_title(title, fontsize=10)
    axes.set_axis_off()
    axes.margins(0.05)
    return figure
