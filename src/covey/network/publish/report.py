"""What there is to report of a published network: plain values; rendered as text, JSON or HTML."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

from covey.errors import OutputError
from covey.utils.extras import load

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from covey.utils.notes import Note


@dataclass(frozen=True, repr=False)
class NetworkReport:
    """What was done, what is lost, what to know before publishing. The public version holds what follows from the release."""

    title: str
    covey: str
    promise: str
    facts: dict[str, Any]
    """What the release says of itself."""
    private_facts: dict[str, Any]
    """How it was made, and what was counted on the original."""
    limits: str
    """What an attacker may still learn."""
    sizes: dict[int, int]
    sizes_of: str
    attributes: dict[str, str]
    measures: list[dict[str, Any]]
    """`before` is of the original, `after` of what is published."""
    notes: list[str]
    public_notes: list[str]
    internal: bool = True
    drawings: dict[str, str] = field(default_factory=dict)
    """Title to drawing (SVG)."""

    def __repr__(self) -> str:
        return f"<NetworkReport: {self.title}>"

    def public(self) -> NetworkReport:
        """The version that may be handed out: nothing that was counted on the original."""
        measures = [one | {"before": None} for one in self.measures if one["public"]]
        return replace(self, internal=False, private_facts={}, measures=measures, notes=[], drawings={})

    def with_drawings(self, drawings: Mapping[str, str]) -> NetworkReport:
        """The same with drawings."""
        return replace(self, drawings=dict(drawings))

    def with_notes(self, notes: Sequence[Note]) -> NetworkReport:
        """The same with more internal notes."""
        return replace(self, notes=[*self.notes, *map(str, notes)])


def render(report: NetworkReport, path: Path) -> str:
    """The report in the format of the path's suffix: .html, .json or .txt."""
    known: dict[str, Callable[[NetworkReport], str]] = {
        ".html": to_html,
        ".htm": to_html,
        ".json": to_json,
        ".txt": to_text,
    }
    if path.suffix.lower() not in known:
        msg = (
            f"a report cannot be written as {path.suffix or 'a file without a suffix'!r}; needed: .html, .json or .txt"
        )
        raise OutputError(msg)
    return known[path.suffix.lower()](report)


def is_drawn(path: Path) -> bool:
    """Whether a report of that format has drawings."""
    return path.suffix.lower() in (".html", ".htm")


def to_json(report: NetworkReport) -> str:
    """The report as JSON, without drawings."""
    told = asdict(report)
    del told["drawings"]
    return json.dumps(told, indent=2, ensure_ascii=False, default=str) + "\n"


def to_text(report: NetworkReport, *, brief: bool = False) -> str:
    """The report as lines of text; briefly, without how it was made."""
    facts = report.facts | ({} if brief else report.private_facts)
    lines = [report.title]
    lines += [f"{name.replace('_', ' ')}: {value}" for name, value in facts.items() if value is not None]
    lines += [f"attribute {name}: {how}" for name, how in report.attributes.items()]
    lines += [_measured(one) for one in report.measures]
    lines += [f"note: {note}" for note in (*report.public_notes, *report.notes)]
    return "\n".join([*lines, report.promise]) + "\n"


def _measured(one: dict[str, Any]) -> str:
    if one["before"] is None:
        return f"{one['measure']}: {_shown(one['after'])}"
    return f"{one['measure']}: {_shown(one['before'])} before, {_shown(one['after'])} after"


def _shown(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def to_html(report: NetworkReport) -> str:
    """The report as one HTML page that needs nothing else."""
    jinja = load("jinja2")
    environment = jinja.Environment(
        loader=jinja.PackageLoader("covey.network.publish"), autoescape=True, trim_blocks=True
    )
    page: str = environment.get_template("network.html").render(r=report, shown=_shown)
    return page
