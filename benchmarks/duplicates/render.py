"""Renders what benchmarks.duplicates.run wrote."""

from __future__ import annotations

from benchmarks.harness.rendering import Row, Section, table, verdict


def duplicates(data: Row) -> str:
    kinds = list(data["rows"][0]["ratios"])
    rows = [
        [
            f"{row['n']:.0e}",
            row["method"],
            f"{row['gaussian']:.3f}",
            *(f"{row['ratios'][kind]:.2f}" if kind in row["ratios"] else "" for kind in kinds),
            verdict(max(row["ratios"].values()) <= 2),
        ]
        for row in data["rows"]
    ]
    note = (
        f"k = {data['k']}, d = {data['d']}; processor time in times of that for the Gaussian table (at most 2). `release`: two columns, "
        f"nine tenths of each one value, with all measures. `repeated-ordering` from {data['starts']} starts."
    )
    return f"{note}\n\n{table(['n', 'what', 'Gaussian, s', *kinds, 'held'], rows)}"


SECTIONS = {"duplicates": Section("Grouping in space: tables with many equal rows", duplicates)}
