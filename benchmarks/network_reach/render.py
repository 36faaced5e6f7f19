"""Renders what benchmarks.network_reach.run wrote."""

from __future__ import annotations

from benchmarks.harness.rendering import Columns, Row, Section, grid, verdict

_PROVEN = ("optimal", "infeasible")


def _gap(row: Row) -> float:
    """In percent of the bound; 0 where it is met or there is nothing."""
    if row["loss"] is None or not row["bound"]:
        return 0.0 if row["loss"] in (None, 0.0) else float("inf")
    return float(100 * (row["loss"] / row["bound"] - 1))


COLUMNS: Columns = [
    ("family", "{family}"),
    ("vertices", "{n}"),
    ("edges", "{m}"),
    ("k", "{k}"),
    ("connected", lambda row: "yes" if row["connected"] else "no"),
    ("status", "{status}"),
    ("loss", lambda row: "" if row["loss"] is None else f"{row['loss']:g}"),
    ("bound", lambda row: "" if row["bound"] is None else f"{row['bound']:g}"),
    ("gap, %", lambda row: f"{_gap(row):.1f}"),
    ("by", "{by}"),
    ("seconds", "{seconds:.1f}"),
    ("CPU", "{cpu_seconds:.1f}"),
    ("GiB", "{gib:.2f}"),
]


def radius(data: Row) -> str:
    parts = []
    for n in sorted({row["asked"] for row in data["rows"]}):
        rows = [row for row in data["rows"] if row["asked"] == n]
        proven = sum(row["status"] in _PROVEN for row in rows) / len(rows)
        wanted = data["proven_wanted"].get(str(n))
        target = f" (wanted: {100 * wanted:.0f} %: {verdict(proven >= wanted)})" if wanted else ""
        parts.append(f"n = {n}: {100 * proven:.0f} % of {len(rows)} cells proven{target}.")
    note = f"`auto`, {data['limit']:g} s of wall clock for each cell, largest component of each. GiB is the peak of the process of the family."
    return f"{note} {' '.join(parts)}\n\n{grid(data['rows'], COLUMNS)}"


def sums(data: Row) -> str:
    few = [row for row in data["rows"] if _gap(row) < data["gap_wanted"]]
    note = (
        f"Carving, whose bound is what every vertex must pay in the cheapest cluster that it can be in. {len(few)} of {len(data['rows'])} cells have "
        f"a gap below {data['gap_wanted']:g} %."
    )
    return f"{note}\n\n{grid(data['rows'], COLUMNS)}"


SECTIONS = {
    "network-reach-radius": Section("Twelve families of networks: the least radius", radius),
    "network-reach-sum": Section("Twelve families of networks: the sum of distances", sums),
}
