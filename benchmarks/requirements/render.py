"""Renders what benchmarks.requirements.run wrote."""

from __future__ import annotations

from benchmarks.harness.rendering import Columns, Row, Section, grid, verdict

REQUIREMENT = ("requirement", "{kind} {limit:g}")
LOST: Columns = [("lost without it, %", "{without:.2f}"), ("covey, %", "{covey:.2f}"), ("merging, %", "{merging:.2f}")]


def census(data: Row) -> str:
    less = ("less than merging", lambda row: f"{100 * row['less']:.0f} %")
    columns: Columns = [REQUIREMENT, ("k", "{k}"), *LOST, less, ("seconds", "{seconds:.2f}")]
    first = data["rows"][0]
    target = f"at k = {first['k']}, l = {first['limit']:g} at least {100 * data['target']:.0f} % less"
    return f"{grid(data['rows'], columns)}\n\nTarget: {target}: {verdict(first['less'] >= data['target'])}."


def speed(data: Row) -> str:
    times: Columns = [("grouping, s", "{grouping:.1f}"), ("complying, s", "{seconds:.1f}")]
    return grid(data["rows"], [("records", "{n} x {d}"), REQUIREMENT, *times, *LOST])


SECTIONS = {
    "requirements-census": Section(
        "The price of diversity: Census, quintiles of TAXINC sensitive, 12 quasi-identifiers", census
    ),
    "requirements-speed": Section(
        "Making groups comply, normal data, six sensitive values that follow a coordinate", speed
    ),
}
