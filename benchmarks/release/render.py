"""Renders what benchmarks.release.run wrote."""

from __future__ import annotations

from benchmarks.harness.rendering import Columns, Row, Section, grid, verdict

PATH: Columns = [
    ("method", "{method}"),
    ("rows", "{rows:.0e}"),
    ("k", "{k}"),
    ("variation lost, %", "{loss_percent:.2f}"),
    ("seconds", "{seconds:.0f}"),
    ("limit", "{limit:.0f}"),
    ("GiB", "{gib:.2f}"),
    ("limit", "{most_gib:.0f}"),
    ("held", lambda row: verdict(row["seconds"] <= row["limit"] and row["gib"] <= row["most_gib"])),
]
RECOUNT: Columns = [
    ("", "{package}"),
    ("reading, s", "{read:.2f}"),
    ("counting, s", "{count:.2f}"),
    ("both, s", "{both:.2f}"),
    ("k found", "{k}"),
]


def path(data: Row) -> str:
    return grid(data["rows"], PATH)


def recount(data: Row) -> str:
    ours, theirs = data["covey"], data["pycanon"]
    text = grid([data[name] | {"package": name} for name in ("covey", "pycanon") if data[name] is not None], RECOUNT)
    text += f"\n\nTarget: the recount of {data['rows']:.0e} rows under {ours['limit']:.0f} s: {verdict(ours['both'] < ours['limit'])}."
    if theirs is not None:
        text += f" Counting alone: {theirs['count'] / ours['count']:.1f} times as fast as pycanon."
    return text


SECTIONS = {
    "release-path": Section("From CSV to Parquet: a million rows, ten mixed columns", path),
    "release-recount": Section("The recount of a released CSV file, a million rows", recount),
}
