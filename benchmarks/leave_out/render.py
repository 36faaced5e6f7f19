"""Renders what benchmarks.leave_out.run wrote."""

from __future__ import annotations

from benchmarks.harness.rendering import Row, Section, table, verdict

WANTED = {("tarragona", 3): 6.9, ("tarragona", 5): 10.6}
"""The most that the others may lose, in % of the variation of all."""


def leave_out(data: Row) -> str:
    rows = [
        [
            row["table"],
            str(row["k"]),
            f"{row['left']} of at most {row['most']}",
            *(f"{row[name]:.3f}" for name in ("all", "one_by_one", "others", "own", "charged")),
            "yes" if row["proven"] else "",
            f"{row['seconds']:.2f} / {row['earlier']:.2f} / {row['grouping']:.2f}",
            verdict(row["others"] <= WANTED[row["table"], row["k"]]) if (row["table"], row["k"]) in WANTED else "",
        ]
        for row in data["rows"]
    ]
    note = (
        "Sum of squares in % of the variation of all records (of the others themselves: `own`), without leaving any out, of the others where records leave "
        "one by one, of the others where a search at a price follows, as it does, and with those left out charged at the mean of all. Processor time, with the grouping of the others, beside that "
        "of grouping all. Wanted of "
        "Tarragona: at most 6.9 (k = 3) and 10.6 (k = 5)."
    )
    heads = [
        "table",
        "k",
        "left out",
        "all",
        "others, one by one",
        "others",
        "own",
        "charged",
        "proven best",
        "s, leaving / one by one / grouping",
        "held",
    ]
    return f"{note}\n\n{table(heads, rows)}"


SECTIONS = {"leave-out": Section("Leaving records out", leave_out)}
