"""Renders the results of benchmarks/stream.py."""

from __future__ import annotations

from typing import Any

from rendering import table, verdict


def beside(data: dict[str, Any]) -> str:
    rows = [
        [
            row["kind"],
            f"{row['n']:.0e}",
            str(row["k"]),
            row["cost"],
            f"{row['ns']:.1f}",
            f"{row['memory_ns']:.1f}",
            f"{row['mb']:.0f}",
            f"{row['memory_mb']:.0f}",
            verdict(row["mb"] <= data["most_mb"]),
            f"{row['tail']:.1e}",
        ]
        for row in data["rows"]
    ]
    header = [
        "data",
        "n",
        "k",
        "cost",
        "stream, ns a record",
        "in memory, ns",
        "stream, peak MB",
        "in memory, MB (with the column)",
        f"at most {data['most_mb']} MB",
        "longest undecided tail",
    ]
    note = (
        "CPU time. Blocks of 1e6, made on the fly; the time to make them is not counted. In memory: a sorted column, labels out; a stream: group "
        "ends out. On `squares` paths never meet: the tail goes to disk."
    )
    return f"{note}\n\n{table(header, rows)}"


def excess(data: dict[str, Any]) -> str:
    rows = [
        [row["kind"], f"{row['n']:.0e}", str(row["k"]), f"{row['loss']:.10g}", f"{row['excess']:.1e}"]
        for row in data["rows"]
    ]
    return table(["data", "n", "k", "SSE of the stream", "excess over the search in memory"], rows)


STREAM = {
    "stream-long": ("Grouping a stream: time and memory", beside),
    "stream-costs": ("Grouping a stream: every cost", beside),
    "stream-excess": ("Grouping a stream: the same loss", excess),
}
