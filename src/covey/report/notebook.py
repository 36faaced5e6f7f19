"""A release or a report in a notebook: its public numbers, a table and a drawing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from covey.core.drawing import AFTER, class_sizes, lengths
from covey.core.measure import Measure
from covey.core.notebook import summary
from covey.errors import InputError
from covey.report import numbers
from covey.report.tables import losses
from covey.utils.extras import load
from covey.utils.words import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.figure import Figure

    from covey.report.collect import Report

SHOWN = {
    Measure.RECORD_LINKAGE: "records linked to their own",
    Measure.PROSECUTOR_RISK: "largest chance to name a person",
    Measure.INFORMATION_LOSS: "information lost",
}


def html_of(report: Report, title: str, more: Sequence[tuple[str, str]] = ()) -> str:
    """The public numbers of a report, whatever version it is."""
    public = report.public()
    classes = f"{counted(public.classes, 'class', 'classes')} of {numbers.range_of(min(public.class_sizes), max(public.class_sizes))}"
    rows = [
        ("k", public.k_in_words),
        ("holds for", ", ".join(public.counted_over)),
        ("published", f"{numbers.records(public.published)} in {classes}"),
        *more,
    ]
    measures = [measured for measured in (*public.risk, *public.utility) if measured.name in SHOWN]
    rows += [(SHOWN[measured.name], numbers.of(measured)) for measured in measures if measured.column is None]
    drawn = losses(public.utility)
    bars = [(bar.label, bar.percent, bar.text) for bars in drawn.values() for bar in bars]
    sizes = f"<div>classes by their size</div>{class_sizes(public.class_sizes)}"
    return summary(title, rows, lengths("; ".join(drawn), bars[:12]) if len(drawn) == 1 else sizes)


def plot_losses(report: Report) -> Figure:
    """What every column lost, numbers and categories on axes of their own."""
    drawn = losses(report.public().utility)
    if not drawn:
        raise InputError(
            "the release has no measures to plot; needed: measuring=True, and columns whose losses may be public"
        )
    figure = load("matplotlib.figure").Figure(
        figsize=(6, 0.8 + 0.32 * sum(map(len, drawn.values()))), layout="constrained"
    )
    parts = figure.subplots(len(drawn), 1, squeeze=False, height_ratios=[len(bars) for bars in drawn.values()])
    for axes, (title, bars) in zip(parts[:, 0], drawn.items(), strict=True):
        axes.barh([bar.label.replace("$", "") for bar in bars], [bar.value for bar in bars], color=AFTER)
        axes.invert_yaxis()
        axes.set(xlabel=f"{title}, %")
    return figure  # type: ignore[no-any-return]
