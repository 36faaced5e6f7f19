"""Renders what benchmarks.units.run wrote."""

from __future__ import annotations

from benchmarks.harness.rendering import Columns, Row, Section, grid, verdict


def loss(data: Row) -> str:
    columns: Columns = [
        ("survey", "{survey}"),
        ("columns", lambda row: ", ".join(row["columns"])),
        ("aligned by role", lambda row: "yes" if row["roles"] else "no"),
        ("k", "{k}"),
        ("rows", "{rows} of {of}"),
        ("rows torn apart, %", "{torn:.2f}"),
        ("units flattened, %", "{flattened:.2f}"),
        ("units as units, %", "{units:.2f}"),
        ("of flattened", lambda row: f"{100 * row['units'] / row['flattened']:.0f} %"),
        (f"at most {100 * data['most']:.0f} %", lambda row: verdict(row["units"] <= data["most"] * row["flattened"])),
    ]
    note = (
        "Of the variation, on the households whose composition (number of members, by role where these align) at least k have. Rows torn apart "
        "promise k to who cannot tell which rows are of one household; flattened and as units, k households look the same in all of their rows."
    )
    return f"{note}\n\n{grid(data['rows'], columns)}"


def speed(data: Row) -> str:
    columns: Columns = [
        ("what", "{what}"),
        ("rows", "{rows}"),
        ("columns", "{columns}"),
        ("k", "{k}"),
        ("seconds", "{seconds:.1f}"),
        ("CPU", "{cpu_seconds:.1f}"),
        ("GiB", "{gib:.2f}"),
        ("lost, %", "{loss:.2f}"),
        (f"within {data['most_gib']:.0f} GiB", lambda row: verdict(row["gib"] <= data["most_gib"])),
    ]
    note = (
        f"Wanted: {data['most_seconds']:.0f} s on two cores that do nothing else. Others used the cores while this was measured, so that the time of the processor, of all "
        "threads together, says more than the seconds."
    )
    return f"{note}\n\n{grid(data['rows'], columns)}"


SECTIONS = {
    "units-loss": Section("Households: rows torn apart, units flattened, units as units", loss),
    "units-speed": Section("Households and panels: many", speed),
}
