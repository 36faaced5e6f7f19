"""Drawings of a report as inline SVG. Needs the extra `report` (matplotlib)."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, Any

from covey.utils.extras import load

if TYPE_CHECKING:
    from collections.abc import Sequence

    from covey.report.collect import Report

BLUE, ORANGE = "#336699", "#cc7722"
MOST = 30
"""So many columns are drawn; more would be neither read nor quick. The numbers of all of them are in the report."""


def drawings(report: Report) -> dict[str, str]:
    """Title to drawing. A public report has none with coordinates of original values."""
    found = {"Class sizes": _class_sizes(report)}
    changed = [m for m in report.utility if m["measure"] in ("variation lost", "categories changed")]
    if changed:
        found[_of("Loss per column", changed)] = _loss_per_column(changed[:MOST])
    if report.distributions:
        title = "Distributions, original and released" if report.internal else "Distributions, released"
        found[_of(title, report.distributions)] = _distributions(report)
    measured = {m["measure"]: m for m in (*report.risk, *report.utility)}
    if "record linkage" in measured and "information loss" in measured:
        linkage = measured["record linkage"]
        points = [("this release", measured["information loss"]["value"], 100 * linkage["value"])]
        if report.internal:
            points.insert(0, ("nothing done", 0.0, 100 * linkage["original"]))
        found["Risk against utility"] = plane(points, front=[])
    return found


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


def _loss_per_column(changed: Sequence[dict[str, Any]]) -> str:
    figure, axes = figure_of(6, 0.6 + 0.3 * len(changed))
    values = [100 * m["value"] if m["measure"] == "categories changed" else m["value"] for m in changed]
    axes.barh([_shown(m["column"]) for m in changed], values, color=BLUE)
    axes.invert_yaxis()
    axes.set(xlabel="variation lost, or categories changed, in %")
    return svg(figure)


def _distributions(report: Report) -> str:
    shown = report.distributions[:MOST]
    rows = (len(shown) + 1) // 2
    figure = _matplotlib().Figure(figsize=(8, 2.1 * rows), layout="constrained")
    for place, one in enumerate(shown):
        axes = figure.add_subplot(rows, 2, place + 1)
        bins = range(len(one["after"]))
        if report.internal:
            axes.bar([b - 0.2 for b in bins], one["before"], width=0.4, color=ORANGE, label="original")
            axes.bar([b + 0.2 for b in bins], one["after"], width=0.4, color=BLUE, label="released")
            if place == 0:
                axes.legend(fontsize=7)
        else:
            axes.bar(list(bins), one["after"], color=BLUE)
        axes.set_title(_shown(one["column"]), fontsize=9)
        edges = one["edges"]
        places = sorted({0, len(edges) // 2, len(edges) - 1}) if edges else []
        between = 0.5 if len(edges) < len(one["after"]) else 0.0  # an edge of numbers lies between two bins
        axes.set_xticks([place + between for place in places], [_shown(edges[place])[:10] for place in places])
        axes.tick_params(labelsize=7)
    return svg(figure)


def _of(title: str, columns: Sequence[Any]) -> str:
    return title if len(columns) <= MOST else f"{title}: the first {MOST} of {len(columns)} columns"


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


def figure_of(width: float, height: float) -> tuple[Any, Any]:
    """A figure with one pair of axes, in inches."""
    figure = _matplotlib().Figure(figsize=(width, height), layout="constrained")
    return figure, figure.add_subplot()


def svg(figure: Any) -> str:
    """The drawing as text: no date, nothing random, no reference to anything outside."""
    matplotlib = load("matplotlib")
    sink = io.StringIO()
    with matplotlib.rc_context({"svg.hashsalt": "covey", "svg.fonttype": "path"}):
        figure.savefig(sink, format="svg", metadata={"Date": None, "Creator": None})
    text = sink.getvalue()
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    return text[text.index("<svg") :]
