"""Renders what benchmarks/release.py wrote."""

from __future__ import annotations

from typing import Any

from rendering import table, verdict


def path(data: dict[str, Any]) -> str:
    rows = [
        [
            row["method"],
            f"{row['rows']:.0e}",
            str(row["k"]),
            f"{row['loss_percent']:.2f}",
            f"{row['seconds']:.0f}",
            f"{row['limit']:.0f}",
            f"{row['gib']:.2f}",
            f"{row['most_gib']:.0f}",
            verdict(row["seconds"] <= row["limit"] and row["gib"] <= row["most_gib"]),
        ]
        for row in data["rows"]
    ]
    return table(["method", "rows", "k", "variation lost, %", "seconds", "limit", "GiB", "limit", "held"], rows)


def recount(data: dict[str, Any]) -> str:
    ours, theirs = data["covey"], data["pycanon"]
    rows = [["covey", f"{ours['read']:.2f}", f"{ours['count']:.2f}", f"{ours['both']:.2f}", str(ours["k"])]]
    if theirs is not None:
        rows.append(
            ["pycanon", f"{theirs['read']:.2f}", f"{theirs['count']:.2f}", f"{theirs['both']:.2f}", str(theirs["k"])]
        )
    text = table(["", "reading, s", "counting, s", "both, s", "k found"], rows)
    text += f"\n\nTarget: the recount of {data['rows']:.0e} rows under {ours['limit']:.0f} s: {verdict(ours['both'] < ours['limit'])}."
    if theirs is not None:
        text += f" Counting alone: {theirs['count'] / ours['count']:.1f} times as fast as pycanon."
    return text


RELEASE = {
    "release-path": ("From CSV to Parquet: a million rows, ten mixed columns", path),
    "release-recount": ("The recount of a released CSV file, a million rows", recount),
}
