"""Renders what benchmarks.hierarchies.run wrote."""

from __future__ import annotations

from benchmarks.harness.rendering import Columns, Row, Section, grid, verdict


def loss(data: Row) -> str:
    columns: Columns = [
        ("k", "{k}"),
        ("whole columns recoded", "{recoding:.3f}"),
        ("1 % left out", "{recoding_left_out:.3f}"),
        ("labels by group", "{zscore:.3f}"),
        ("scale = range", "{range:.3f}"),
        ("of recoding", lambda row: f"{100 * row['zscore'] / row['recoding']:.0f} %"),
        ("of recoding that leaves 1 % out", lambda row: f"{100 * row['zscore'] / row['recoding_left_out']:.0f} %"),
        (f"at most {100 * data['most']:.0f} %", lambda row: verdict(row["zscore"] <= data["most"] * row["recoding"])),
        ("CPU seconds", "{cpu_seconds_zscore:.1f}"),
        ("of the lattice", "{cpu_seconds_of_lattice:.0f}"),
    ]
    note = (
        f"The generalisation loss (0: every value as it is, 1: all of them `*`) of {data['records']:,} simulated workers and their eight "
        "columns with hierarchies (`covey.datasets.load_workers`). Whole columns recoded: the best of all "
        f"{data['combinations']:,} combinations of levels, each column at one level for everybody. Labels by group: `covey.release` with "
        "`hierarchy`, every record published."
    )
    return f"{note}\n\n{grid(data['rows'], columns)}"


SECTIONS = {"hierarchies-loss": Section("Hierarchies: labels by group beside whole columns recoded", loss)}
