"""Renders what benchmarks.web.run wrote."""

from __future__ import annotations

from benchmarks.harness.rendering import Columns, Row, Section, grid, verdict


def latency(data: Row) -> str:
    limit = data["limit_ms"]
    columns: Columns = [
        ("interaction", "{what}"),
        ("what runs", lambda row: "a release" if row["running"] else "nothing"),
        ("median, ms", "{median:.0f}"),
        ("19 of 20, ms", "{most_of_20:.0f}"),
        ("slowest, ms", "{most:.0f}"),
        (f"all within {limit}", lambda row: verdict(row["most"] <= limit)),
    ]
    note = (
        f"{data['records']:,} records, opened in {data['opened_seconds']:.1f} s; headless chromium, browser, server and computation on the same "
        f"{data['machine']['cores']} cores (load average at the end {data['load']:.1f}). From the click until the page shows the "
        f"answer. The release was cancelled after the measurements: {data['cancel_ms']:.0f} ms until the page said so."
    )
    return f"{note}\n\n{grid(data['rows'], columns)}"


def million(data: Row) -> str:
    """A release of a large table by the page, from the file to the download."""
    columns: Columns = [("what", "{what}"), ("s", "{seconds:.1f}")]
    note = (
        f"{data['records']:,} records of {data['columns']} columns ({data['megabytes']:.0f} MB of CSV), k = {data['k']} by {data['method']}, by headless "
        f"chromium; the engine was chosen by itself ({data['engine']}). CPU time of server and computations {data['cpu_seconds']:.0f} s, on "
        f"{data['machine']['cores']} cores at a load of {data['load']:.1f}. Progress was said in {data['steps']} steps; {data['downloaded']:,} rows were "
        "downloaded. "
    )
    return f"{note}\n\n{grid(data['rows'], columns)}"


SECTIONS = {
    "web-latency": Section("The page: answers while a computation runs", latency),
    "web-million": Section("The page: a release of a million records", million),
}
