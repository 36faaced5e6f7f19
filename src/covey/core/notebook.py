"""What a notebook shows of a result: a short table and one drawing. Notebooks are committed and sent, so only what may be public."""

from __future__ import annotations

from collections import Counter
from html import escape
from importlib import import_module
from typing import TYPE_CHECKING

from covey.core.drawing import AFTER, class_sizes
from covey.errors import MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from matplotlib.figure import Figure


def summary(title: str, rows: Sequence[tuple[str, str]], drawing: str = "") -> str:
    """A table of two columns, and a drawing (SVG).

    >>> summary("Release", [("k", "5 < 6")]).count("5 &lt; 6</td>")
    1
    """
    cells = "".join(
        f'<tr><th style="text-align: left">{escape(name)}</th><td style="text-align: left">{escape(text)}</td></tr>'
        for name, text in rows
    )
    return f"<div><strong>{escape(title)}</strong><table>{cells}</table>{drawing}</div>"


def of_sizes(title: str, rows: Sequence[tuple[str, str]], sizes: Iterable[int], what: str = "group") -> str:
    """A summary of groups, with a drawing of how many have which size."""
    histogram = dict(sorted(Counter(sizes).items()))
    several = f"{sum(histogram.values()):,}"
    if histogram:
        several += f", of {min(histogram)} to {max(histogram)}" if len(histogram) > 1 else f", all of {min(histogram)}"
    return summary(title, [*rows, (f"{what}s", several)], _sizes(histogram, what) if histogram else "")


def _sizes(histogram: dict[int, int], what: str) -> str:
    return f"<div>{what}s by their size</div>{class_sizes(histogram)}"


def plot_sizes(sizes: Iterable[int], what: str = "group") -> Figure:
    """How many groups have which size, as a figure of matplotlib."""
    histogram = dict(sorted(Counter(sizes).items()))
    try:
        figure = import_module("matplotlib.figure").Figure(figsize=(6, 2.6), layout="constrained")
    except ImportError as error:
        raise MissingExtraError("matplotlib is not installed; install it with: pip install 'covey[report]'") from error
    axes = figure.add_subplot()
    axes.bar([str(size) for size in histogram], list(histogram.values()), color=AFTER)
    axes.set(xlabel=f"members of a {what}", ylabel=f"{what}s")
    return figure  # type: ignore[no-any-return]
