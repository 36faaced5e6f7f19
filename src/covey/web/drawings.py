"""Small drawings as SVG, in the colours of the page. Text in them is text: what a table holds is escaped."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

WIDTH, HEIGHT = 320, 120


def bars(heights: Sequence[float], title: str) -> str:
    """A small histogram.

    >>> bars([1.0, 0.5], "age").count("<rect")
    2
    """
    width = 112 / max(1, len(heights))
    drawn = "".join(
        f'<rect class="after" x="{place * width:.1f}" y="{28 - 28 * height:.1f}" width="{max(1.0, width - 1):.1f}" '
        f'height="{max(0.5, 28 * height):.1f}"/>'
        for place, height in enumerate(heights)
    )
    return f'<svg viewBox="0 0 112 28" width="112" height="28" role="img" aria-label="{escape(title)}">{drawn}</svg>'


def swatch(kind: str) -> str:
    """A square of the colour of "before" or "after", for a legend."""
    return f'<svg width="14" height="14" aria-hidden="true"><rect class="{kind}" width="14" height="14"/></svg>'


def before_and_after(distribution: Mapping[str, Any]) -> str:
    """How the values of a column are distributed in the original and in the release, side by side.

    >>> "&lt;script&gt;" in before_and_after({"column": "a", "edges": ["<script>", "b"], "before": [0.5, 0.5], "after": [0.4, 0.6]})
    True
    """
    before, after, edges = distribution["before"], distribution["after"], distribution["edges"]
    tallest = max([1e-9, *before, *after])
    width = WIDTH / len(after)
    drawn = [
        f'<rect class="{kind}" x="{place * width + (0 if kind == "before" else width * 0.46):.1f}" y="{96 - 90 * share / tallest:.1f}" '
        f'width="{width * 0.42:.1f}" height="{90 * share / tallest:.1f}"/>'
        for kind, shares in (("before", before), ("after", after))
        for place, share in enumerate(shares)
    ]
    between = 1.0 if len(edges) < len(after) else 0.5  # an edge of numbers lies between two bins
    places = sorted({0, len(edges) // 2, len(edges) - 1}) if edges else []
    for place in places:
        at = (place + between) * width
        anchor = "start" if at < WIDTH / 4 else "end" if at > WIDTH * 3 / 4 else "middle"
        drawn.append(
            f'<text class="ink" x="{at:.1f}" y="112" font-size="11" text-anchor="{anchor}">{escape(edges[place][:14])}</text>'
        )
    title = escape(f"{distribution['column']}: shares of records, original beside released")
    axis = f'<line class="axis" x1="0" x2="{WIDTH}" y1="96.5" y2="96.5"/>'
    return f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{title}">{"".join(drawn)}{axis}</svg>'


def ticks(most: float) -> list[float]:
    """Round numbers from 0 to at least `most`, for an axis.

    >>> ticks(33.9), ticks(0.7)
    ([0.0, 10.0, 20.0, 30.0, 40.0], [0.0, 0.2, 0.4, 0.6, 0.8])
    """
    power = 10.0 ** math.floor(math.log10(most))
    step = next(step for step in (0.2, 0.25, 0.5, 1.0, 2.0, 2.5) if most <= 5 * step * power) * power
    return [round(place * step, 12) for place in range(math.ceil(most / step - 1e-9) + 1)]


@dataclass(frozen=True)
class Plane:
    """The risk-utility plane: up to which loss and risk it goes, in percent, by round numbers."""

    losses: Sequence[float]
    risks: Sequence[float]

    def place(self, loss: float, risk: float) -> tuple[float, float]:
        """Where a setting lies in the box of the plane: percent from the left and from the bottom.

        >>> Plane(ticks(10.0), ticks(100.0)).place(0.0, 0.0)
        (10.0, 12.0)
        """
        return 10 + 85 * loss / self.losses[-1], 12 + 80 * risk / self.risks[-1]

    def drawn(self, paths: Mapping[str, Sequence[tuple[float, float]]]) -> str:
        """The axes, and for each method the way of its settings, with its name where it begins."""
        shapes = [_line((loss, 0), (loss, self.risks[-1]), self, "grid" if loss else "axis") for loss in self.losses]
        shapes += [_line((0, risk), (self.losses[-1], risk), self, "grid" if risk else "axis") for risk in self.risks]
        for loss in self.losses:
            shapes.append(_text(self.place(loss, 0)[0], 93, f"{loss:g}", "middle"))
        for risk in self.risks:
            shapes.append(_text(9, 101 - self.place(0, risk)[1], f"{risk:g}", "end"))
        for method, path in paths.items():
            shapes += [_line(start, end, self, "way") for start, end in itertools.pairwise(path)]
            left, bottom = self.place(*path[0])
            shapes.append(_text(left, 99 - bottom, method, "start", away=18))
        shapes.append(_text(52, 99, "information loss, %", "middle"))
        shapes.append(_text(1, 4, "record linkage, %", "start"))
        return f'<svg aria-hidden="true">{"".join(shapes)}</svg>'


def _line(start: tuple[float, float], end: tuple[float, float], plane: Plane, kind: str) -> str:
    (x1, y1), (x2, y2) = plane.place(*start), plane.place(*end)
    return f'<line class="{kind}" x1="{x1:.2f}%" x2="{x2:.2f}%" y1="{100 - y1:.2f}%" y2="{100 - y2:.2f}%"/>'


def _text(x: float, y: float, text: str, anchor: str, *, away: int = 0) -> str:
    return f'<text class="ink" x="{x:.2f}%" y="{y:.2f}%" dx="{away}" font-size="12" text-anchor="{anchor}">{escape(text)}</text>'
