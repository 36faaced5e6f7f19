"""Renders what benchmarks.hierarchies.run wrote."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.harness.rendering import Columns, Row, Section, grid, verdict

if TYPE_CHECKING:
    from collections.abc import Callable


def loss(data: Row) -> str:
    columns: Columns = [
        ("k", "{k}"),
        ("whole columns recoded", "{recoding:.3f}"),
        ("1 % left out", "{recoding_left_out:.3f}"),
        ("labels by group", "{zscore:.3f}"),
        ("scale = range", "{range:.3f}"),
        ("of recoding", lambda row: f"{100 * row['zscore'] / row['recoding']:.0f} %"),
        ("of recoding that leaves 1 % out", lambda row: f"{100 * row['zscore'] / row['recoding_left_out']:.0f} %"),
        (f"at most {100 * data['most']:.0f} %", lambda row: verdict(row["zscore"] <= data["most"] * row["recoding"])),
        ("CPU seconds", "{cpu_seconds_zscore:.1f}"),
        ("of the lattice", "{cpu_seconds_of_lattice:.0f}"),
    ]
    note = (
        f"The generalisation loss (0: every value as it is, 1: all of them `*`) of {data['records']:,} simulated workers and their eight "
        "columns with hierarchies (`covey.datasets.load_workers`). Whole columns recoded: the best of all "
        f"{data['combinations']:,} combinations of levels, each column at one level for everybody. Labels by group: `covey.release` with "
        "`hierarchy`, every record published."
    )
    return f"{note}\n\n{grid(data['rows'], columns)}"


def left_out(data: Row) -> str:
    columns: Columns = [
        ("k", "{k}"),
        ("nobody left out", "{none:.4f}"),
        ("suppress = 1 %", lambda row: f"{row['by_price']:.4f} ({row['by_price_left_out']} records)"),
        *((f"{label} by this loss", _by_loss(at)) for at, label in enumerate(("fewest", "75", "150", "300"))),
        ("best", lambda row: f"{min(row['none'], *row['by_loss'].values()):.4f}"),
        ("gain of classes alone", "{most_to_gain:.5f}"),
        ("CPU seconds", "{cpu_seconds:.0f}"),
    ]
    note = (
        f"What a budget of 1 % of the {data['records']:,} workers buys, where a record that is left out loses 1 in every column. `suppress` minimises "
        "squared distances of those that stay, and charges nothing for those that leave. By this loss: the records without which the labels of their class lose least, one of a class, and the rest "
        "released anew (fewest: 4 k of them). Gain of classes alone: what the loss would fall by if every class lost that record where it pays, the others stayed as they are, and none needed "
        "another record for k. A record that is left out costs more than its class gains, but for a few: the best of these budgets is the smallest, and buys next to nothing."
    )
    return f"{note}\n\n{grid(data['rows'], columns)}"


def _by_loss(at: int) -> Callable[[Row], str]:
    return lambda row: f"{list(row['by_loss'].values())[at]:.4f}"


SECTIONS = {
    "hierarchies-loss": Section("Hierarchies: labels by group beside whole columns recoded", loss),
    "hierarchies-left-out": Section("Hierarchies: what leaving 1 % out buys", left_out),
}
