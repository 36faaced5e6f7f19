"""Drawings by matplotlib: the plane of risk and loss, and what networks are drawn with. Needs the extra `report`."""

from __future__ import annotations

import io
import re
from html import escape
from typing import TYPE_CHECKING, Any

from covey.utils.extras import load

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


BLUE, ORANGE = "#336699", "#cc7722"


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
    return svg(figure, "Settings by information loss and record linkage")


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


def svg(figure: Figure, name: str) -> str:
    """The drawing as text, with a name for those who do not see it: no date, nothing random, no reference to anything outside."""
    matplotlib = load("matplotlib")
    sink = io.StringIO()
    with matplotlib.rc_context({"svg.hashsalt": "covey", "svg.fonttype": "path"}):
        figure.savefig(sink, format="svg", metadata={"Date": None, "Creator": None})
    text = sink.getvalue()
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    return f'<svg role="img" aria-label="{escape(name, quote=True)}"{text[text.index("<svg") + 4 :]}'
