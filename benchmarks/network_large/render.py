"""Renders what benchmarks.network_large.run wrote."""

from __future__ import annotations

from benchmarks.harness.rendering import Columns, Row, Section, grid, verdict

COLUMNS: Columns = [
    ("network", "{kind}"),
    ("n", "{n:.0e}"),
    ("edges", "{edges}"),
    ("lower", "{lower}"),
    ("seconds", "{seconds:.2f}"),
    ("CPU", "{cpu_seconds:.2f}"),
    ("GiB", "{gib:.2f}"),
    ("clusters", "{clusters}"),
    ("sizes", "{smallest} to {largest}"),
    ("too large", "{oversize}"),
    ("radius", "{radius:g}"),
    ("bound", "{bound:g}"),
    ("mean distance", "{mean:.3f}"),
]


def carving(data: Row) -> str:
    def held(row: Row) -> str:
        if not row["held"]:
            return "a cut vertex forbids it" if "cut vertex" in row["why"] else "not asked for"
        few = row["oversize"] <= data["most_oversize"] * row["clusters"]
        return verdict(row["seconds"] <= data["most_seconds"] and row["gib"] <= data["most_gib"] and few)

    note = (
        f"`upper` = 2 lower - 1, connected. Limits: {data['most_seconds']:.0f} s, {data['most_gib']:.0f} GiB of the whole process, "
        f"{100 * data['most_oversize']:g} % of the clusters too large; every cluster connected and at least `lower` (recounted). "
        "Seconds include centres, true distances, bound and recount."
    )
    return f"{note}\n\n{grid(data['rows'], [*COLUMNS, ('held', held)])}"


def gather(data: Row) -> str:
    note = "Clusters that need not be connected; the radius is at most twice the bound."
    held = ("held", lambda row: verdict(row["radius"] <= 2 * row["bound"]))
    return f"{note}\n\n{grid(data['rows'], [*COLUMNS, held])}"


SECTIONS = {
    "network-carving": Section("Carving networks of a million vertices", carving),
    "network-gather": Section("r-gather: at most twice the least radius", gather),
}
