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


def before_and_after(one: Mapping[str, Any]) -> str:
    """How the values of a column are distributed in the original and in the release, side by side.

    >>> "&lt;script&gt;" in before_and_after({"column": "a", "edges": ["<script>", "b"], "before": [0.5, 0.5], "after": [0.4, 0.6]})
    True
    """
    before, after, edges = one["before"], one["after"], one["edges"]
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
    title = escape(f"{one['column']}: shares of records, original beside released")
    axis = f'<line class="axis" x1="0" x2="{WIDTH}" y1="96.5" y2="96.5"/>'
    return f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{title}">{"".join(drawn)}{axis}</svg>'


def axes(most_loss: float, most_risk: float) -> str:
    """The axes of the risk-utility plane, in percent of its box."""
    lines, texts = [], []
    for step in range(5):
        share = step / 4
        x, y = 10 + 85 * share, 88 - 80 * share
        lines.append(
            f'<line class="axis" x1="{x}%" x2="{x}%" y1="8%" y2="88%" stroke-opacity="{0.25 if step else 1}"/>'
        )
        lines.append(
            f'<line class="axis" x1="10%" x2="95%" y1="{y}%" y2="{y}%" stroke-opacity="{0.25 if step else 1}"/>'
        )
        texts.append(
            f'<text class="ink" x="{x}%" y="93%" font-size="12" text-anchor="middle">{most_loss * share:.3g}</text>'
        )
        texts.append(
            f'<text class="ink" x="9%" y="{y + 1}%" font-size="12" text-anchor="end">{most_risk * share:.3g}</text>'
        )
    texts.append('<text class="ink" x="52%" y="99%" font-size="13" text-anchor="middle">information loss, %</text>')
    texts.append('<text class="ink" x="1%" y="4%" font-size="13">record linkage, %</text>')
    return f'<svg aria-hidden="true">{"".join(lines)}{"".join(texts)}</svg>'


def place_in_plane(loss: float, risk: float, most_loss: float, most_risk: float) -> tuple[float, float]:
    """Where a setting lies in the box of the plane: percent from the left and from the bottom.

    >>> place_in_plane(0.0, 0.0, 10.0, 100.0)
    (10.0, 12.0)
    """
    return 10 + 85 * loss / most_loss, 12 + 80 * risk / most_risk
