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
        ("no grouping below, %", lambda row: "" if row["bound"] is None else f"{row['bound']:.2f}"),
        ("of flattened", lambda row: f"{100 * row['units'] / row['flattened']:.0f} %"),
        (f"at most {100 * data['most']:.0f} %", lambda row: verdict(row["units"] <= data["most"] * row["flattened"])),
        ("can be", lambda row: "" if row["bound"] is None else _possible(row, data["most"])),
    ]
    note = (
        "Of the variation, on the households whose composition (number of members, by role where these align) at least k have. Rows torn apart "
        "promise k to who cannot tell which rows are of one household; flattened and as units, k households look the same in all of their rows. "
        "No grouping of whole households within their compositions loses less than the bound, however members are aligned (a linear program over pairs, "
        "`benchmarks/units/limit.py`): where it exceeds the target, no method reaches that."
    )
    return f"{note}\n\n{grid(data['rows'], columns)}"


def _possible(row: Row, most: float) -> str:
    """Whether the target is within what can be: it is not where the bound exceeds it."""
    return "no" if row["bound"] > most * row["flattened"] else "not excluded"


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
