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


def work(data: Row) -> str:
    alone = data["file"]
    columns: Columns = [
        ("release in the session", "{run}"),
        ("jobs", "{jobs}"),
        ("stages", "{stages}"),
        ("tasks", "{tasks}"),
        ("CPU s of all processes", "{cpu:.0f}"),
        ("of that of `--memory 2GiB`", lambda row: f"{row['cpu'] / alone['cpu']:.2f}"),
        ("at most twice", lambda row: verdict(row["cpu"] <= 2 * alone["cpu"])),
        ("loss against it", lambda row: f"{100 * (row['loss'] / alone['loss'] - 1):+.2f} %"),
    ]
    note = (
        f"{data['n']:,} rows of {data['columns']} normal columns in Parquet, k = {data['k_asked']}, `auto`, `local[2]`: read, released, written and "
        f"recounted. From file to file with `--memory 2GiB`, the lesser of two, before and after: {alone['cpu']:.0f} s of CPU. To start the session, which is not in the table: "
        f"{data['session_cpu']:.0f} s."
    )
    return f"{note}\n\n{grid(data['rows'], columns)}"


SECTIONS = {
    "spark-census": Section("A release on a Spark cluster", census),
    "spark-work": Section("What a release on Spark costs", work),
}
