"""Drawings of a report as inline SVG. Needs the extra `report` (matplotlib)."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, Any

from covey.core.measure import Measure
from covey.utils.extras import load

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from covey.evidence import Measured
    from covey.report.collect import Report
    from covey.utility.distributions import Distribution

BLUE, ORANGE = "#336699", "#cc7722"
MOST = 30
"""So many columns are drawn; more would be neither read nor quick. The numbers of all of them are in the report."""


def drawings(report: Report) -> dict[str, str]:
    """Title to drawing. A public report has none with coordinates of original values."""
    drawn = {"Class sizes": _class_sizes(report)}
    changed = [
        measured for measured in report.utility if measured.name in (Measure.VARIATION_LOST, Measure.CATEGORIES_CHANGED)
    ]
    if changed:
        drawn[_of("Loss per column", len(changed))] = _loss_per_column(changed[:MOST])
    if report.distributions:
        title = "Distributions, original and released" if report.internal else "Distributions, released"
        drawn[_of(title, len(report.distributions))] = _distributions(report)
    measures = {measured.name: measured for measured in (*report.risk, *report.utility)}
    if Measure.RECORD_LINKAGE in measures and Measure.INFORMATION_LOSS in measures:
        linkage = measures[Measure.RECORD_LINKAGE]
        points = [("this release", measures[Measure.INFORMATION_LOSS].value, 100 * linkage.value)]
        if linkage.original is not None:
            points.insert(0, ("nothing done", 0.0, 100 * linkage.original))
        drawn["Risk against utility"] = plane(points, front=[])
    return drawn


def plane(points: Sequence[tuple[str, float, float]], front: Sequence[int]) -> str:
    """Settings by information loss and linkage risk, in percent, with their Pareto front."""
    figure, axes = figure_of(6, 3.6)
    axes.scatter([loss for _, loss, _ in points], [risk for *_, risk in points], color=BLUE)
    for name, loss, risk in points:
        axes.annotate(_shown(name), (loss, risk), xytext=(5, 4), textcoords="offset points", fontsize=8)
    line = sorted((points[place][1], points[place][2]) for place in front)
    axes.plot([x for x, _ in line], [y for _, y in line], color=ORANGE, linewidth=1)
    axes.set(xlabel="information loss, %", ylabel="record linkage, %")
    axes.margins(0.25)
    return svg(figure)


def _class_sizes(report: Report) -> str:
    figure, axes = figure_of(6, 2.6)
    sizes = list(report.class_sizes)
    left = len(sizes) - 40
    axes.bar([str(size) for size in sizes[:40]], [report.class_sizes[size] for size in sizes[:40]], color=BLUE)
    more = f" ({left} larger sizes are left out)" if left > 0 else ""
    axes.set(xlabel=f"{report.counted_in} in a class{more}", ylabel="classes")
    return svg(figure)


def _loss_per_column(changed: Sequence[Measured]) -> str:
    figure, axes = figure_of(6, 0.6 + 0.3 * len(changed))
    values = [(100 if lost.name == Measure.CATEGORIES_CHANGED else 1) * lost.value for lost in changed]
    axes.barh([_shown(lost.column) for lost in changed], values, color=BLUE)
    axes.invert_yaxis()
    axes.set(xlabel="variation lost, or categories changed, in %")
    return svg(figure)


def _distributions(report: Report) -> str:
    shown = report.distributions[:MOST]
    rows = (len(shown) + 1) // 2
    figure = _matplotlib().Figure(figsize=(8, 2.1 * rows), layout="constrained")
    for place, shares in enumerate(shown):
        axes = figure.add_subplot(rows, 2, place + 1)
        _bars(axes, shares)
        if place == 0 and shares.before is not None:
            axes.legend(fontsize=7)
        axes.set_title(_shown(shares.column), fontsize=9)
        edges = shares.edges
        ticks = sorted({0, len(edges) // 2, len(edges) - 1}) if edges else []
        between = 0.5 if len(edges) < len(shares.after) else 0.0  # an edge of numbers lies between two bins
        axes.set_xticks([tick + between for tick in ticks], [_shown(edges[tick])[:10] for tick in ticks])
        axes.tick_params(labelsize=7)
    return svg(figure)


def _bars(axes: Axes, shares: Distribution) -> None:
    """The shares of the bins, beside those of the original where these may be shown."""
    bins = range(len(shares.after))
    if shares.before is None:
        axes.bar(list(bins), shares.after, color=BLUE)
        return
    axes.bar([b - 0.2 for b in bins], shares.before, width=0.4, color=ORANGE, label="original")
    axes.bar([b + 0.2 for b in bins], shares.after, width=0.4, color=BLUE, label="released")


def _of(title: str, columns: int) -> str:
    return title if columns <= MOST else f"{title}: the first {MOST} of {columns} columns"


def _shown(name: object) -> str:
    """A name in a drawing: short, nothing that matplotlib takes for a formula, letters its font has."""
    text = (
        "".join(sign for sign in str(name) if sign.isprintable())
        .replace("$", "")
        .encode("latin-1", "replace")
        .decode("latin-1")
    )
    return text if len(text) <= 30 else text[:29] + "~"


def _matplotlib() -> Any:
    load("matplotlib").use("svg")
    return load("matplotlib.figure")


def figure_of(width: float, height: float) -> tuple[Figure, Axes]:
    """A figure with one pair of axes, in inches."""
    figure = _matplotlib().Figure(figsize=(width, height), layout="constrained")
    return figure, figure.add_subplot()


def svg(figure: Figure) -> str:
    """The drawing as text: no date, nothing random, no reference to anything outside."""
    matplotlib = load("matplotlib")
    sink = io.StringIO()
    with matplotlib.rc_context({"svg.hashsalt": "covey", "svg.fonttype": "path"}):
        figure.savefig(sink, format="svg", metadata={"Date": None, "Creator": None})
    text = sink.getvalue()
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    return text[text.index("<svg") :]
