"""Renders the results of benchmarks/network_large.py."""

from __future__ import annotations

from typing import Any

from rendering import table, verdict

HEADER = [
    "network",
    "n",
    "edges",
    "lower",
    "seconds",
    "CPU",
    "GiB",
    "clusters",
    "sizes",
    "too large",
    "radius",
    "bound",
    "mean distance",
]


def _row(row: dict[str, Any]) -> list[str]:
    return [
        row["kind"],
        f"{row['n']:.0e}",
        str(row["edges"]),
        str(row["lower"]),
        f"{row['seconds']:.2f}",
        f"{row['cpu_seconds']:.2f}",
        f"{row['gib']:.2f}",
        str(row["clusters"]),
        f"{row['smallest']} to {row['largest']}",
        str(row["oversize"]),
        f"{row['radius']:g}",
        f"{row['bound']:g}",
        f"{row['mean']:.3f}",
    ]


def carving(data: dict[str, Any]) -> str:
    def held(row: dict[str, Any]) -> str:
        if not row["held"]:
            return "a cut vertex forbids it" if "cut vertex" in row["why"] else "not asked for"
        few = row["oversize"] <= data["most_oversize"] * row["clusters"]
        return verdict(row["seconds"] <= data["most_seconds"] and row["gib"] <= data["most_gib"] and few)

    note = (
        f"`upper` = 2 lower - 1, connected. Limits: {data['most_seconds']:.0f} s, {data['most_gib']:.0f} GiB of the whole process, "
        f"{100 * data['most_oversize']:g} % of the clusters too large; every cluster connected and at least `lower` (recounted). "
        "Seconds include centres, true distances, bound and recount."
    )
    return f"{note}\n\n{table([*HEADER, 'held'], [[*_row(row), held(row)] for row in data['rows']])}"


def gather(data: dict[str, Any]) -> str:
    note = "Clusters that need not be connected; the radius is at most twice the bound."
    rows = [[*_row(row), verdict(row["radius"] <= 2 * row["bound"])] for row in data["rows"]]
    return f"{note}\n\n{table([*HEADER, 'held'], rows)}"


NETWORK_LARGE = {
    "network-carving": ("Carving networks of a million vertices", carving),
    "network-gather": ("r-gather: at most twice the least radius", gather),
}
