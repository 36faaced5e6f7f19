"""Small drawings as inline SVG, in colours that can be told apart on light and dark ground and by colour-blind readers."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from covey.core.ticks import marks

if TYPE_CHECKING:
    from collections.abc import Sequence

BEFORE, AFTER = "#d9822b", "#3b82c4"
WIDTH, HEIGHT = 400, 190
LEFT, RIGHT, TOP, BOTTOM = 46, 8, 8, 24
LETTER = 6.6
"""The width of a letter of the labels."""


def histogram(column: str, edges: Sequence[str], after: Sequence[float], before: Sequence[float] | None = None) -> str:
    """The shares of records between round numbers: in the release, and beside it in the original where that may be shown."""
    ticks = marks(100.0 * max((*after, *(before or ()))))
    parts = [_line(tick, ticks[-1]) for tick in ticks]
    parts += _bars(after, before, ticks[-1])
    parts += _labels(edges, len(after))
    return _svg(parts, escape(f"Shares of records by {column}", quote=True))


def class_sizes(sizes: dict[int, int]) -> str:
    """How many classes have so many members, the first forty sizes."""
    shown = list(sizes.items())[:40]
    ticks = marks(max(number for _, number in shown), least=1.0)
    parts = [_line(tick, ticks[-1], "") for tick in ticks]
    slot = (WIDTH - LEFT - RIGHT) / len(shown)
    for place, (_, number) in enumerate(shown):
        parts.append(_bar(LEFT + slot * (place + 0.1), slot * 0.8, number / ticks[-1], AFTER))
    step = _every([str(size) for size, _ in shown], slot)
    parts += [
        _text(LEFT + slot * (place + 0.5), HEIGHT - 7, str(size))
        for place, (size, _) in enumerate(shown)
        if place % step == 0
    ]
    return _svg(parts, "Number of classes by size")


def lengths(title: str, rows: Sequence[tuple[str, float, str]]) -> str:
    """Bars beside their names: each with its length in percent of the longest, and what is written behind it."""
    parts = [f'<text x="0" y="12" font-weight="600">{escape(title)}</text>']
    for place, (name, percent, text) in enumerate(rows):
        y = 22 + 18 * place
        shown = name if len(name) <= 18 else f"{name[:17]}~"
        parts.append(f'<text x="0" y="{y + 10}">{escape(shown)}</text>')
        parts.append(f'<rect x="125" y="{y + 1}" width="{max(1.0, 1.9 * percent):.1f}" height="11" fill="{AFTER}"/>')
        parts.append(f'<text x="{131 + 1.9 * percent:.1f}" y="{y + 10}">{escape(text)}</text>')
    return _svg(parts, escape(title, quote=True), 26 + 18 * len(rows))


def _bars(after: Sequence[float], before: Sequence[float] | None, top: float) -> list[str]:
    slot = (WIDTH - LEFT - RIGHT) / len(after)
    parts = []
    for place, share in enumerate(after):
        left = LEFT + slot * place
        if before is None:
            parts.append(_bar(left + slot * 0.06, slot * 0.88, 100 * share / top, AFTER))
            continue
        parts.append(_bar(left + slot * 0.06, slot * 0.44, 100 * before[place] / top, BEFORE))
        parts.append(_bar(left + slot * 0.5, slot * 0.44, 100 * share / top, AFTER))
    return parts


def _labels(edges: Sequence[str], bins: int) -> list[str]:
    """The edges between bins, as many as fit, each as a whole."""
    slot = (WIDTH - LEFT - RIGHT) / bins
    step = _every(edges, slot)
    places = [(LEFT + slot * (place + 1), edge) for place, edge in enumerate(edges) if place % step == 0]
    return [_text(x, HEIGHT - 7, edge) for x, edge in places if x + LETTER * len(edge) / 2 <= WIDTH]


def _every(labels: Sequence[str], slot: float) -> int:
    """Every how many labels one is shown, so that none touches the next."""
    longest = max((len(label) for label in labels), default=1)
    return max(1, -int(-(longest + 1.5) * LETTER // slot))


def _line(tick: float, top: float, unit: str = " %") -> str:
    y = _y(tick / top)
    text = f"{tick:,.6g}" if tick < 1e6 else f"{tick:,.0f}"
    return (
        f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="currentColor" stroke-opacity=".18"/>'
        + _text(LEFT - 5, y + 4, f"{text}{unit}", "end")
    )


def _bar(left: float, width: float, share: float, colour: str) -> str:
    top = _y(min(1.0, share))
    return (
        f'<rect x="{left:.1f}" y="{top:.1f}" width="{width:.1f}" height="{HEIGHT - BOTTOM - top:.1f}" fill="{colour}"/>'
    )


def _y(share: float) -> float:
    return TOP + (HEIGHT - TOP - BOTTOM) * (1 - share)


def _text(x: float, y: float, text: str, anchor: str = "middle") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _svg(parts: Sequence[str], label: str, height: int = HEIGHT) -> str:
    style = 'font-size="11" font-family="system-ui, sans-serif" fill="currentColor"'
    return f'<svg role="img" aria-label="{label}" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" {style}>{"".join(parts)}</svg>'
