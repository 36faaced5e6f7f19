"""Renders the results of benchmarks/network.py."""

from __future__ import annotations

from typing import Any

from rendering import table, verdict

HEADER = [
    "network",
    "vertices",
    "lower",
    "upper",
    "connected",
    "what",
    "answers",
    "bounds",
    "proven",
    "by",
    "seconds, median",
    "slowest",
    "GiB",
]


def _numbers(values: list[float | None]) -> str:
    return ", ".join("none" if value is None else f"{value:g}" for value in values)


def _row(row: dict[str, Any]) -> list[str]:
    proven = sum(status in ("optimal", "infeasible") for status in row["status"])
    return [
        row["graph"],
        str(max(row["vertices"])),
        str(row["lower"]),
        str(row["upper"]),
        "yes" if row["connected"] else "no",
        row["objective"],
        _numbers(row["loss"]),
        _numbers(row["bound"]),
        f"{proven} of {len(row['status'])}",
        ", ".join(row["by"]),
        f"{row['seconds']:.2f}",
        f"{row['slowest']:.2f}",
        f"{row['gib']:.2f}",
    ]


def reach(data: dict[str, Any]) -> str:
    rows = []
    for row in data["rows"]:
        proven = all(status in ("optimal", "infeasible") for status in row["status"])
        held = verdict(proven and row["slowest"] <= row["limit"])
        rows.append([*_row(row), f"{row['limit']:.0f}", held])
    note = 'One answer for each seed; "none": proven that there is no partition. Held: the slowest in time, all proven.'
    return f"{note}\n\n{table([*HEADER, 'limit, s', 'held'], rows)}"


def further(data: dict[str, Any]) -> str:
    note = "By `auto`, with a time limit of 30 s: what is proven, and how far the bound is where it is not."
    return f"{note}\n\n{table(HEADER, [_row(row) for row in data['rows']])}"


NETWORK = {
    "network-unconnected": ("Networks: the smallest radius, clusters need not be connected", reach),
    "network-trees": ("Networks: connected clusters of trees, by treewidth", reach),
    "network-connected": ("Networks: connected clusters, bounds and CP-SAT", reach),
    "network-further": ("Networks: further questions", further),
}
