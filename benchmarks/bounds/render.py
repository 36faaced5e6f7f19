"""Renders what benchmarks.bounds.run wrote."""

from __future__ import annotations

from typing import Any

from benchmarks.harness.rendering import Row, Section, table

RUNGS = ("neighbours", "matching", "tight")


def _cells(row: dict[str, Any], best: float | None) -> list[str]:
    """Of every rung the gap to the best loss and the seconds."""
    cells = []
    for rung in RUNGS:
        found = row.get(rung)
        gap = "" if found is None or best is None else f"{100 * (1 - found['bound'] / best):.1f}"
        cells += [gap, "" if found is None else f"{found['seconds']:.2f}"]
    return cells


def bounds(data: Row) -> str:
    head = [text for rung in RUNGS for text in (f"{rung}, gap %", "s")]
    tables = [[row["table"], str(row["k"]), f"{row['best']:.4f}", *_cells(row, row["best"])] for row in data["tables"]]
    growth = [[f"{row['n']:.0e}", *_cells(row, row.get("auto")), f"{row['megabytes']:.0f}"] for row in data["growth"]]
    proofs = [
        [
            row["table"],
            str(row["k"]),
            row["status"],
            f"{row['loss']:.5f}",
            f"{row['bound']:.5f}",
            f"{row['seconds']:.0f}",
            f"{row['clock']:.0f}",
        ]
        for row in data["proofs"]
    ]
    return (
        f"Gap: 1 - bound / loss, against the least loss that we have seen, in % of the variation. Seconds of the processor, all threads together; `tight` had at most "
        f"{data['limit']:.0f} s of wall clock.\n\n{table(['table', 'k', 'best known', *head], tables)}\n\n"
        f"Gaussian records in {data['d']} columns, k = {data['k']}, against the loss of `auto`; `tight` had five times as long. Memory: the most of the process.\n\n"
        f"{table(['n', *head, 'MB'], growth)}\n\n"
        f"`exact`, {10 * data['limit']:.0f} s of wall clock at most; loss and bound in % of the variation.\n\n"
        f"{table(['table', 'k', 'status', 'loss', 'bound', 'processor, s', 'clock, s'], proofs)}"
    )


SECTIONS = {"bounds": Section("Grouping in space: how far from the best, by rung", bounds)}
