"""Renders what benchmarks.report.run wrote."""

from __future__ import annotations

from benchmarks.harness.rendering import Columns, Row, Section, grid, verdict


def both(row: Row) -> float:
    return float(row["measuring"] + row["writing"])


def report(data: Row) -> str:
    columns: Columns = [
        ("columns", "{table}"),
        ("rows", "{rows:.0e} x {columns}"),
        ("measures", "{measures}"),
        ("measuring, s", "{measuring:.1f}"),
        ("of it the bound, s", "{bounding:.1f}"),
        ("release and reports written twice, s", "{writing:.1f}"),
        ("both", lambda row: f"{both(row):.1f}"),
        ("limit", f"{data['limit']:.0f}"),
        ("GiB", "{gib:.2f}"),
        ("limit", f"{data['most_gib']:.0f}"),
        ("held", lambda row: verdict(both(row) <= data["limit"] and row["gib"] <= data["most_gib"])),
    ]
    return grid(data["rows"], columns) + "\n\nMemory is that of the whole process, the release included."


def uniques(data: Row) -> str:
    columns: Columns = [
        ("columns", "{columns} of {table}"),
        ("records", "{rows:.0e}"),
        ("singled out", "{singled_out}"),
        ("minimal sample uniques", "{uniques}"),
        ("CPU seconds", "{seconds:.1f}"),
        ("at most", "{most:.0f}"),
        ("held", lambda row: verdict(row["seconds"] <= row["most"])),
    ]
    return grid(data["rows"], columns) + "\n\nAll 1,023 combinations of columns are looked at."


SECTIONS = {
    "report": Section("All measures and the reports, a million rows, ten columns", report),
    "uniques": Section("Special uniques of 100,000 records", uniques),
}
