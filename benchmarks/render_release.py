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


def report(data: dict[str, Any]) -> str:
    rows = []
    for row in data["rows"]:
        both = row["measuring"] + row["writing"]
        rows.append(
            [
                row["table"],
                f"{row['rows']:.0e} x {row['columns']}",
                str(row["measures"]),
                f"{row['measuring']:.1f}",
                f"{row['bounding']:.1f}",
                f"{row['writing']:.1f}",
                f"{both:.1f}",
                f"{data['limit']:.0f}",
                f"{row['gib']:.2f}",
                f"{data['most_gib']:.0f}",
                verdict(both <= data["limit"] and row["gib"] <= data["most_gib"]),
            ]
        )
    header = ["columns", "rows", "measures", "measuring, s", "of it the bound, s"]
    header += ["release and reports written twice, s", "both", "limit", "GiB", "limit", "held"]
    return table(header, rows) + "\n\nMemory is that of the whole process, the release included."


def census(data: dict[str, Any]) -> str:
    rows = [
        [
            f"{row['kind']} {row['limit']:g}",
            str(row["k"]),
            f"{row['without']:.2f}",
            f"{row['covey']:.2f}",
            f"{row['merging']:.2f}",
            f"{100 * row['less']:.0f} %",
            f"{row['seconds']:.2f}",
        ]
        for row in data["rows"]
    ]
    header = ["requirement", "k", "lost without it, %", "covey, %", "merging, %", "less than merging", "seconds"]
    first = data["rows"][0]
    held = verdict(first["less"] >= data["target"])
    return (
        table(header, rows)
        + f"\n\nTarget: at k = {first['k']}, l = {first['limit']:g} at least {100 * data['target']:.0f} % less: {held}."
    )


def speed(data: dict[str, Any]) -> str:
    rows = [
        [
            f"{row['n']} x {row['d']}",
            f"{row['kind']} {row['limit']:g}",
            f"{row['grouping']:.1f}",
            f"{row['seconds']:.1f}",
            f"{row['without']:.2f}",
            f"{row['covey']:.2f}",
            f"{row['merging']:.2f}",
        ]
        for row in data["rows"]
    ]
    header = ["records", "requirement", "grouping, s", "complying, s", "lost without it, %", "covey, %", "merging, %"]
    return table(header, rows)


RELEASE = {
    "requirements-census": (
        "The price of diversity: Census, quintiles of TAXINC sensitive, 12 quasi-identifiers",
        census,
    ),
    "requirements-speed": ("Making groups comply, normal data, six sensitive values that follow a coordinate", speed),
    "release-path": ("From CSV to Parquet: a million rows, ten mixed columns", path),
    "release-recount": ("The recount of a released CSV file, a million rows", recount),
    "report": ("All measures and the reports, a million rows, ten columns", report),
}
