"""Renders what benchmarks.diversity.run wrote."""

from __future__ import annotations

from benchmarks.harness.rendering import Columns, Row, Section, grid, verdict


def points_and_colours(row: Row) -> str:
    share = f", the first colour {100 * row['share']:.0f} %" if row["share"] else ""
    points = ", whole numbers 0..99" if row["points"] == "ages" else ""
    return f"random colours{share}{points}"


COLUMNS: Columns = [
    ("n", "{n:.0e}"),
    ("m", "{m}"),
    ("l", "{l}"),
    ("objective", "{objective}"),
    ("data", points_and_colours),
    ("method", "{method}"),
    ("seconds, median", "{seconds:.2f}"),
    ("slowest", "{slowest:.2f}"),
    ("CPU", "{cpu_seconds:.2f}"),
    ("GiB", "{gib:.2f}"),
    ("proven", "{proven} of {seeds}"),
    ("largest gap", lambda row: f"{100 * row['gap']:.2f} %"),
]


def reach(data: Row) -> str:
    def held(row: Row) -> str:
        proven = row["proven"] == row["seeds"]
        return verdict(row["slowest"] <= row["limit"] and proven and row["gib"] <= data["most_gib"])

    note = f"Limits: the slowest of the seeds in time, all proven, each process within {data['most_gib']:.0f} GiB; one core."
    return f"{note}\n\n{grid(data['rows'], [*COLUMNS, ('limit, s', '{limit:.0f}'), ('held', held)])}"


def further(data: Row) -> str:
    limits: Columns = [
        ("time limit, s", lambda row: "" if row["time_limit"] is None else f"{row['time_limit']:.0f}"),
        (f"within {data['most_gib']:.0f} GiB", lambda row: verdict(row["gib"] <= data["most_gib"])),
    ]
    return grid(data["rows"], [*COLUMNS, *limits])


def releases(data: Row) -> str:
    def asked(row: Row) -> str:
        return ", ".join(f"{name} {limit}" for name, limit in row["asked"].items())

    columns: Columns = [
        ("records", "{n}"),
        ("values", "{values}"),
        ("follow the column", lambda row: f"{100 * row['follows']:.0f} %"),
        ("k", "{k}"),
        ("asked", asked),
        ("k alone (bound), %", "{k_alone:.4f}"),
        ("heuristic alone, %", "{heuristic:.4f}"),
        ("released, %", "{released:.4f}"),
        ("proven least", lambda row: "yes" if row["status"] == "optimal" else "no"),
        ("seconds", "{seconds:.2f}"),
    ]
    never = all(row["released"] <= row["heuristic"] * (1 + 1e-9) for row in data["rows"])
    return f"{grid(data['rows'], columns)}\n\nNever above the heuristic alone: {verdict(never)}."


SECTIONS = {
    "diversity-releases": Section("One quasi-identifier with l-diversity or alpha: what a release loses", releases),
    "diversity-reach": Section("l-diversity clustering on the line: reach", reach),
    "diversity-further": Section("l-diversity clustering on the line: further instances", further),
}
