"""A report as text, JSON or HTML, by the suffix of its file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from covey.errors import OutputError
from covey.extras import load

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from covey.report.collect import Report


def render(report: Report, path: Path) -> str:
    """The report in the format of the path's suffix: .html, .json or .txt."""
    known: dict[str, Callable[[Report], str]] = {".html": to_html, ".htm": to_html, ".json": to_json, ".txt": to_text}
    if path.suffix.lower() not in known:
        msg = (
            f"a report cannot be written as {path.suffix or 'a file without a suffix'!r}; needed: .html, .json or .txt"
        )
        raise OutputError(msg)
    return known[path.suffix.lower()](report)


def to_json(report: Report) -> str:
    """The report as JSON."""
    return json.dumps(report.as_dict(), indent=2, ensure_ascii=False) + "\n"


def to_text(report: Report) -> str:
    """The report as lines of text."""
    r = report
    lines = [
        f"k = {r.k_achieved} achieved, {r.k_asked} asked, counted in {r.counted_in}; {r.records_out} records in {r.classes} classes"
    ]
    if r.suppressed:
        lines.append(f"{r.suppressed} of {r.records_in} records are not published")
    for group in r.groups:
        status = "the least possible" if group["status"] == "optimal" else "a good grouping, not proven the best"
        lines.append(
            f"grouped {', '.join(group['columns'])} by {group['method']}: {group['groups']} groups of {group['smallest']} "
            f"to {group['largest']}; {group['loss_percent']:.2f} % of the variation lost ({status})"
        )
    lines += [f"total of {t['column']}: {t['change_percent']:+.3f} %" for t in r.totals]
    lines += [
        f"sensitive {s['column']}: at least {s['distinct_l']} values in a class; classes differ from the whole by up to "
        f"{s['t_closeness']:.2f} (t-closeness, {s['distance']} distance)"
        for s in r.sensitive
    ]
    lines += [f"note: {note}" for note in r.notes]
    return "\n".join([*lines, r.promise]) + "\n"


def to_html(report: Report) -> str:
    """The report as one HTML page that needs nothing else."""
    jinja = load("jinja2")
    environment = jinja.Environment(loader=jinja.PackageLoader("covey.report"), autoescape=True, trim_blocks=True)
    page: str = environment.get_template("report.html").render(r=report)
    return page
