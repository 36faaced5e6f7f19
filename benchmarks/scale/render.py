"""Renders what benchmarks.scale.run wrote."""

from __future__ import annotations

from benchmarks.harness.drawing import pyplot, save
from benchmarks.harness.rendering import Columns, Row, Section, grid, load, verdict

SIZE: Columns = [("rows", "{n:.0e}"), ("quasi-identifiers", "{columns}")]
GROWTH: Columns = [
    ("covey, s", "{seconds:.1f}"),
    ("ns a row", lambda row: f"{1e9 * row['seconds'] / row['n']:.0f}"),
    ("DuckDB sorts the file, s", "{sort_seconds:.1f}"),
    ("peak MB", "{mb:.0f}"),
]
LOSS: Columns = [
    ("method", "{method}"),
    ("lost in pieces, %", "{parts:.4f}"),
    ("lost in memory, %", "{memory:.4f}"),
    ("more in pieces", "{excess_percent:+.2f} %"),
    ("at most", lambda row: "" if row.get("most_percent") is None else f"{row['most_percent']:.1f} %"),
    (
        "held",
        lambda row: (
            "" if row.get("most_percent") is None else verdict(row["excess_percent"] <= row["most_percent"] + 1e-9)
        ),
    ),
]
MEMORY: Columns = [
    ("method", "{method}"),
    ("from memory, CPU s", "{memory_cpu:.1f}"),
    ("from file to file, CPU s", "{parts_cpu:.1f}"),
    ("ratio", "{ratio:.2f}"),
    ("at most", "{target:.0f}"),
    ("held", lambda row: verdict(row["ratio"] <= row["target"])),
    ("peak MB from memory", "{memory_mb:.0f}"),
]


def large(data: Row) -> str:
    columns: Columns = [
        ("method", "{method}"),
        ("covey, s", "{seconds:.0f}"),
        ("DuckDB sorts the file, s", "{sort_seconds:.0f}"),
        ("ratio", "{ratio:.2f}"),
        ("at most", "{target:.0f}"),
        ("held", lambda row: verdict(row["ratio"] <= row["target"])),
        ("peak MB", "{mb:.0f}"),
        (f"at most {data['most_mb']} MB", lambda row: verdict(row["mb"] <= data["most_mb"])),
    ]
    note = (
        f"`covey release` from Parquet to Parquet with `--memory {data['memory']}`, k = {data['k']}, recount included; DuckDB with the "
        "same memory, `ORDER BY ALL`, in the same run."
    )
    return f"{note}\n\n{grid(data['rows'], [*SIZE, *columns])}"


def growth(data: Row) -> str:
    note = "Up to about 1e6 rows the start of Python and of its libraries counts for most of it."
    return f"{grid(data['rows'], [*SIZE, *GROWTH])}\n\n{note}\n\n![](figures/scale.svg)"


def loss(data: Row) -> str:
    return grid(data["rows"], [*SIZE, *LOSS])


def memory(data: Row) -> str:
    note = f"`covey release` from Parquet to Parquet, without and with `--memory {data['memory']}`, k = {data['k']}: the least of three runs of each, in turns."
    return f"{note}\n\n{grid(data['rows'], [*SIZE, *MEMORY])}"


def draw(data: Row) -> None:
    """Time and memory against rows, and time against the partitions of a table of 1e6 rows on Spark."""
    largest, cluster = load("scale-large"), load("spark-census")
    rows, partitions = [*data["rows"], *(largest["rows"] if largest else [])], cluster["one"] if cluster else []
    plt = pyplot("svg")
    figure, (left, right, last) = plt.subplots(1, 3, figsize=(12, 3.6))
    for columns in sorted({row["columns"] for row in rows}):
        some = sorted((row for row in rows if row["columns"] == columns), key=lambda row: int(row["n"]))
        n = [row["n"] for row in some]
        left.loglog(n, [row["seconds"] for row in some], "o-", label=f"covey, {columns} columns")
        left.loglog(n, [row["sort_seconds"] for row in some], "x--", label=f"DuckDB sorts {columns} columns")
        right.semilogx(n, [row["mb"] for row in some], "o-", label=f"covey, {columns} columns")
    left.set(xlabel="rows", ylabel="seconds")
    right.set(xlabel="rows", ylabel="peak MB", ylim=(0, 2048))
    last.plot([row["files"] for row in partitions], [row["seconds"] for row in partitions], "o-")
    last.set(xlabel="partitions (Spark, 2 executors, 1e6 rows x 1)", ylabel="seconds", ylim=(0, None))
    left.legend(fontsize=7)
    right.legend(fontsize=7)
    save(figure, "scale.svg", metadata={"Date": None})


SECTIONS = {
    "scale-large": Section("Files larger than memory", large),
    "scale-growth": Section("Files larger than memory: how time and memory grow", growth, draw),
    "scale-memory": Section("In memory beside files larger than memory: time of all cores", memory),
    "scale-loss": Section("Files larger than memory: what the borders of pieces cost", loss),
}
