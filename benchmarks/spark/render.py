"""Renders what benchmarks.spark.run wrote."""

from __future__ import annotations

from benchmarks.harness.rendering import Columns, Row, Section, grid, verdict

ONE: Columns = [
    ("partitions", "{files}"),
    ("loss in %", "{loss:.12g}"),
    ("excess over the search in memory", "{excess:.1e}"),
    ("seconds", "{seconds:.0f}"),
]


def census(data: Row) -> str:
    several: Columns = [
        ("n", f"{data['n']:.0e}"),
        ("loss in %, Spark", "{loss:.5f}"),
        ("in memory (`auto`)", "{memory_loss:.5f}"),
        ("difference", lambda row: f"{100 * (row['loss'] / row['memory_loss'] - 1):+.2f} %"),
        ("within 5 %", lambda row: verdict(row["loss"] <= (1 + row["most"]) * row["memory_loss"])),
        ("seconds, Spark", "{seconds:.0f}"),
        ("in memory", "{memory_seconds:.0f}"),
    ]
    note = f"Census, stretched: 13 columns, k = {data['k_asked']}; two executors of one core on one machine."
    return f"{note}\n\n{grid(data['rows'], several)}\n\nOne of its columns, exactly:\n\n{grid(data['one'], ONE)}"


SECTIONS = {"spark-census": Section("A release on a Spark cluster", census)}
