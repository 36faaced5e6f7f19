"""Renders the results of benchmarks/scale.py."""

from __future__ import annotations

from typing import Any

from rendering import HERE, table, verdict


def large(data: dict[str, Any]) -> str:
    rows = [
        [
            f"{row['n']:.0e}",
            str(row["columns"]),
            row["method"],
            f"{row['seconds']:.0f}",
            f"{row['sort_seconds']:.0f}",
            f"{row['ratio']:.2f}",
            f"{row['target']:.0f}",
            verdict(row["ratio"] <= row["target"]),
            f"{row['mb']:.0f}",
            verdict(row["mb"] <= data["most_mb"]),
        ]
        for row in data["rows"]
    ]
    header = [
        "rows",
        "quasi-identifiers",
        "method",
        "covey, s",
        "DuckDB sorts the file, s",
        "ratio",
        "at most",
        "held",
        "peak MB",
        f"at most {data['most_mb']} MB",
    ]
    note = (
        f"`covey release` from Parquet to Parquet with `--memory {data['memory']}`, k = {data['k']}, recount included; DuckDB with the "
        "same memory, `ORDER BY ALL`, in the same run."
    )
    return f"{note}\n\n{table(header, rows)}"


def growth(data: dict[str, Any]) -> str:
    rows = [
        [
            f"{row['n']:.0e}",
            str(row["columns"]),
            f"{row['seconds']:.1f}",
            f"{1e9 * row['seconds'] / row['n']:.0f}",
            f"{row['sort_seconds']:.1f}",
            f"{row['mb']:.0f}",
        ]
        for row in data["rows"]
    ]
    header = ["rows", "quasi-identifiers", "covey, s", "ns a row", "DuckDB sorts the file, s", "peak MB"]
    _draw(data["rows"])
    note = (
        "Up to about 1e6 rows the start of Python and of its libraries counts for most of it.\n\n![](figures/scale.svg)"
    )
    return f"{table(header, rows)}\n\n{note}"


def _draw(rows: list[dict[str, Any]]) -> None:
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "covey"
    from matplotlib import pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6))
    for columns in sorted({row["columns"] for row in rows}):
        some = [row for row in rows if row["columns"] == columns]
        n = [row["n"] for row in some]
        left.loglog(n, [row["seconds"] for row in some], "o-", label=f"covey, {columns} columns")
        left.loglog(n, [row["sort_seconds"] for row in some], "x--", label=f"DuckDB sorts {columns} columns")
        right.semilogx(n, [row["mb"] for row in some], "o-", label=f"covey, {columns} columns")
    left.set(xlabel="rows", ylabel="seconds")
    right.set(xlabel="rows", ylabel="peak MB", ylim=(0, 2048))
    left.legend(fontsize=7)
    right.legend(fontsize=7)
    figure.tight_layout()
    figure.savefig(HERE / "figures" / "scale.svg", metadata={"Date": None})
    plt.close(figure)


def loss(data: dict[str, Any]) -> str:
    rows = [
        [
            f"{row['n']:.0e}",
            str(row["columns"]),
            row["method"],
            f"{row['parts']:.4f}",
            f"{row['memory']:.4f}",
            f"{row['excess_percent']:+.2f} %",
        ]
        for row in data["rows"]
    ]
    header = ["rows", "quasi-identifiers", "method", "lost in pieces, %", "lost in memory, %", "more in pieces"]
    return table(header, rows)


SCALE = {
    "scale-large": ("Files larger than memory", large),
    "scale-growth": ("Files larger than memory: how time and memory grow", growth),
    "scale-loss": ("Files larger than memory: what the borders of pieces cost", loss),
}
