"""What there is to report of a published network: plain values; rendered as text, JSON or HTML."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

from covey.report.render import by_suffix, page_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from covey.network.publish.measure import NetworkMeasure
    from covey.utils.notes import Note


@dataclass(frozen=True, repr=False)
class NetworkReport:
    """What was done, what is lost, what to know before publishing. The public version holds what follows from the release."""

    title: str
    covey: str
    promise: str
    facts: Mapping[str, object]
    """What the release says of itself."""
    private_facts: Mapping[str, object]
    """How it was made, and what was counted on the original."""
    limits: str
    """What an attacker may still learn."""
    sizes: dict[int, int]
    sizes_of: str
    attributes: Mapping[str, str]
    measures: list[NetworkMeasure]
    notes: list[Note]
    """Those for everyone first."""
    internal: bool = True
    drawings: dict[str, str] = field(default_factory=dict)
    """Title to drawing (SVG)."""

    def __repr__(self) -> str:
        return f"<NetworkReport: {self.title}>"

    def public(self) -> NetworkReport:
        """The version that may be handed out: nothing that was counted on the original."""
        measures = [measure.published() for measure in self.measures if measure.public]
        notes = [note for note in self.notes if note.public]
        return replace(self, internal=False, private_facts={}, measures=measures, notes=notes, drawings={})

    def with_drawings(self, drawings: Mapping[str, str]) -> NetworkReport:
        """The same with drawings."""
        return replace(self, drawings=dict(drawings))

    def as_dict(self) -> dict[str, Any]:
        """All but the drawings, as plain values."""
        plain = {name: value for name, value in asdict(self).items() if name not in ("drawings", "internal")}
        texts = {
            name: [note.text for note in self.notes if note.public is public]
            for name, public in (("notes", False), ("public_notes", True))
        }
        return plain | texts | {"internal": self.internal}


def render(report: NetworkReport, path: Path) -> str:
    """The report in the format of the path's suffix: .html, .json or .txt."""
    return by_suffix(path, to_html, to_json, to_text)(report)


def is_drawn(path: Path) -> bool:
    """Whether a report of that format has drawings."""
    return path.suffix.lower() in (".html", ".htm")


def to_json(report: NetworkReport) -> str:
    """The report as JSON, without drawings."""
    return json.dumps(report.as_dict(), indent=2, ensure_ascii=False, default=str) + "\n"


def to_text(report: NetworkReport, *, brief: bool = False) -> str:
    """The report as lines of text; briefly, without how it was made."""
    facts = {**report.facts, **({} if brief else report.private_facts)}
    lines = [report.title]
    lines += [f"{name.replace('_', ' ')}: {value}" for name, value in facts.items() if value is not None]
    lines += [f"attribute {name}: {how}" for name, how in report.attributes.items()]
    lines += [_measured(measure) for measure in report.measures]
    lines += [f"note: {note}" for note in report.notes]
    return "\n".join([*lines, report.promise]) + "\n"


def _measured(measure: NetworkMeasure) -> str:
    if measure.before is None:
        return f"{measure.measure}: {shown(measure.after)}"
    return f"{measure.measure}: {shown(measure.before)} before, {shown(measure.after)} after"


def shown(value: object) -> str:
    """A value of a measure, where there is one."""
    if value is None:
        return ""
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def to_html(report: NetworkReport) -> str:
    """The report as one HTML page that needs nothing else."""
    return page_of("covey.network.publish", "network.html", r=report, shown=shown)
