"""Renders the results of benchmarks/web.py."""

from __future__ import annotations

from typing import Any

from rendering import table, verdict


def latency(data: dict[str, Any]) -> str:
    rows = [
        [
            row["what"],
            "a release" if row["running"] else "nothing",
            f"{row['median']:.0f}",
            f"{row['most_of_20']:.0f}",
            f"{row['most']:.0f}",
            verdict(row["most"] <= data["limit_ms"]),
        ]
        for row in data["rows"]
    ]
    limit = data["limit_ms"]
    header = [
        "interaction",
        "what runs",
        "median, ms",
        "19 of 20, ms",
        "slowest, ms",
        f"all within {limit}",
    ]
    note = (
        f"{data['records']:,} records, opened in {data['opened_seconds']:.1f} s; headless chromium, browser, server and computation on the same "
        f"{data['machine']['cores']} cores (load average at the end {data['load']:.1f}). From the click until the page shows the "
        f"answer. The release was cancelled after the measurements: {data['cancel_ms']:.0f} ms until the page said so."
    )
    return f"{note}\n\n{table(header, rows)}"


WEB = {"web-latency": ("The page: answers while a computation runs", latency)}
