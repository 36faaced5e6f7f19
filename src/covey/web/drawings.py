"""Small drawings as SVG, in the colours of the page. Text in them is text: what a table holds is escaped."""

from __future__ import annotations

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
