"""Renders what benchmarks.stream.run wrote."""

from __future__ import annotations

from benchmarks.harness.rendering import Columns, Row, Section, grid, verdict


def beside(data: Row) -> str:
    columns: Columns = [
        ("data", "{kind}"),
        ("n", "{n:.0e}"),
        ("k", "{k}"),
        ("cost", "{cost}"),
        ("stream, ns a record", "{ns:.1f}"),
        ("in memory, ns", "{memory_ns:.1f}"),
        ("stream, peak MB", "{mb:.0f}"),
        ("in memory, MB (with the column)", "{memory_mb:.0f}"),
        (f"at most {data['most_mb']} MB", lambda row: verdict(row["mb"] <= data["most_mb"])),
        ("longest undecided tail", "{tail:.1e}"),
    ]
    note = (
        "CPU time. Blocks of 1e6, made on the fly; the time to make them is not counted. In memory: a sorted column, labels out; a stream: group "
        "ends out. On `squares` paths never meet: the tail goes to disk."
    )
    return f"{note}\n\n{grid(data['rows'], columns)}"


EXCESS: Columns = [
    ("data", "{kind}"),
    ("n", "{n:.0e}"),
    ("k", "{k}"),
    ("SSE of the stream", "{loss:.10g}"),
    ("excess over the search in memory", "{excess:.1e}"),
]


def excess(data: Row) -> str:
    return grid(data["rows"], EXCESS)


SECTIONS = {
    "stream-long": Section("Grouping a stream: time and memory", beside),
    "stream-costs": Section("Grouping a stream: every cost", beside),
    "stream-excess": Section("Grouping a stream: the same loss", excess),
}
