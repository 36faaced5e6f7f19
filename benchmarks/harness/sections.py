"""A benchmark in sections: each is a function that measures, is chosen by `--only`, and has a JSON file of its own."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from benchmarks.harness.measure import write

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

Measured = dict[str, Any]


def section_parser(description: str | None, sections: Iterable[str]) -> argparse.ArgumentParser:
    """A command line that has `--only SECTION ...`; all sections unless told otherwise."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--only", nargs="*", choices=list(sections), default=list(sections))
    return parser


def write_sections(
    topic: str, chosen: Iterable[str], measure: Callable[[str], Measured], results: str | None = None
) -> None:
    """Measure the chosen sections, and write RESULTS-SECTION.json after each; RESULTS is the topic unless told otherwise."""
    for section in chosen:
        print(f"--- {section}")
        write(f"{results or topic}-{section}", topic, measure(section), f"--only {section}")


def run_sections(
    topic: str, sections: Mapping[str, Callable[[], Measured]], description: str | None, results: str | None = None
) -> None:
    """The whole program of a benchmark that takes no other option."""
    chosen = section_parser(description, sections).parse_args().only
    write_sections(topic, chosen, lambda section: sections[section](), results)
