"""Renders benchmarks/RESULTS.md, the figures and the comparison in the README from the JSON that the benchmarks wrote.

usage: python -m benchmarks.render
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.bounds import render as bounds
from benchmarks.diversity import render as diversity
from benchmarks.duplicates import render as duplicates
from benchmarks.harness.measure import BENCHMARKS
from benchmarks.harness.rendering import load, origin
from benchmarks.hierarchies import render as hierarchies
from benchmarks.large import render as large
from benchmarks.leave_out import render as leave_out
from benchmarks.line import render as line
from benchmarks.network import render as network
from benchmarks.network_large import render as network_large
from benchmarks.network_reach import render as network_reach
from benchmarks.peers import render as peers
from benchmarks.release import render as release
from benchmarks.report import render as report
from benchmarks.requirements import render as requirements
from benchmarks.scale import render as scale
from benchmarks.space import render as space
from benchmarks.spark import render as spark
from benchmarks.stream import render as stream
from benchmarks.units import render as units
from benchmarks.web import render as web

if TYPE_CHECKING:
    from benchmarks.harness.rendering import Section

RESULTS = BENCHMARKS / "RESULTS.md"
INTRODUCTION = """# Results

Rendered by `benchmarks/render.py` from `benchmarks/results/*.json`; nothing here is written by hand. Times are wall
clock on a shared machine: trust ratios, not digits. `make bench` measures all of it again.
"""
TOPICS = (
    *(
        peers,
        line,
        stream,
        spark,
        diversity,
        space,
        large,
        bounds,
        duplicates,
        leave_out,
        requirements,
        units,
        hierarchies,
        release,
        report,
        scale,
    ),
    *(network, network_large, network_reach, web),
)
SECTIONS: dict[str, Section] = {name: section for topic in TOPICS for name, section in topic.SECTIONS.items()}


def results() -> str:
    """The page, from what has been measured."""
    parts = [INTRODUCTION]
    for name, section in SECTIONS.items():
        data = load(name)
        if data is not None:
            parts.append(f"## {section.title}\n\n{origin(data)}\n\n{section.text(data)}\n")
    return "\n".join(parts)


def draw_figures() -> None:
    for name, section in SECTIONS.items():
        data = load(name)
        if data is not None and section.draw is not None:
            section.draw(data)


if __name__ == "__main__":
    RESULTS.write_text(results())
    draw_figures()
    peers.write_readme()
