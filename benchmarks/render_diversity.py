"""Renders the results of benchmarks/diversity.py."""

from __future__ import annotations

from typing import Any

from rendering import table, verdict


def _data(row: dict[str, Any]) -> str:
    share = f", the first colour {100 * row['share']:.0f} %" if row["share"] else ""
    points = ", whole numbers 0..99" if row["points"] == "ages" else ""
    return f"random colours{share}{points}"


def _row(row: dict[str, Any]) -> list[str]:
    return [
        f"{row['n']:.0e}",
        str(row["m"]),
        str(row["l"]),
        row["objective"],
        _data(row),
        row["method"],
        f"{row['seconds']:.2f}",
        f"{row['slowest']:.2f}",
        f"{row['cpu_seconds']:.2f}",
        f"{row['gib']:.2f}",
        f"{row['proven']} of {row['seeds']}",
        f"{100 * row['gap']:.2f} %",
    ]


HEADER = [
    "n",
    "m",
    "l",
    "objective",
    "data",
    "method",
    "seconds, median",
    "slowest",
    "CPU",
    "GiB",
    "proven",
    "largest gap",
]


def reach(data: dict[str, Any]) -> str:
    rows = [
        [
            *_row(row),
            f"{row['limit']:.0f}",
            verdict(
                row["slowest"] <= row["limit"] and row["proven"] == row["seeds"] and row["gib"] <= data["most_gib"]
            ),
        ]
        for row in data["rows"]
    ]
    note = f"Limits: the slowest of the seeds in time, all proven, each process within {data['most_gib']:.0f} GiB; one core."
    return f"{note}\n\n{table([*HEADER, 'limit, s', 'held'], rows)}"


def further(data: dict[str, Any]) -> str:
    rows = [
        [
            *_row(row),
            "" if row["time_limit"] is None else f"{row['time_limit']:.0f}",
            verdict(row["gib"] <= data["most_gib"]),
        ]
        for row in data["rows"]
    ]
    return table([*HEADER, "time limit, s", f"within {data['most_gib']:.0f} GiB"], rows)


DIVERSITY = {
    "diversity-reach": ("l-diversity clustering on the line: reach", reach),
    "diversity-further": ("l-diversity clustering on the line: further instances", further),
}
