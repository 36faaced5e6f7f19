"""Renders the results of benchmarks/spark.py."""

from __future__ import annotations

from typing import Any

from rendering import table, verdict


def census(data: dict[str, Any]) -> str:
    several = [
        [
            f"{data['n']:.0e}",
            f"{row['loss']:.5f}",
            f"{row['memory_loss']:.5f}",
            f"{100 * (row['loss'] / row['memory_loss'] - 1):+.2f} %",
            verdict(row["loss"] <= (1 + row["most"]) * row["memory_loss"]),
            f"{row['seconds']:.0f}",
            f"{row['memory_seconds']:.0f}",
        ]
        for row in data["rows"]
    ]
    one = [
        [str(row["files"]), f"{row['loss']:.12g}", f"{row['excess']:.1e}", f"{row['seconds']:.0f}"]
        for row in data["one"]
    ]
    header = ["n", "loss in %, Spark", "in memory (`auto`)", "difference", "within 5 %", "seconds, Spark", "in memory"]
    first = table(header, several)
    second = table(["partitions", "loss in %", "excess over the search in memory", "seconds"], one)
    note = f"Census, stretched: 13 columns, k = {data['k_asked']}; two executors of one core on one machine."
    return f"{note}\n\n{first}\n\nOne of its columns, exactly:\n\n{second}"


SPARK = {"spark-census": ("A release on a Spark cluster", census)}
