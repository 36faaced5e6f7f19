"""A report as text, JSON or HTML, by the suffix of its file."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, TypeVar

from covey.core.measure import Measure
from covey.errors import OutputError
from covey.report.plots import drawings
from covey.report.records import WITHIN_STRATA, GroupChoice, GroupFacts, LeftOutFacts
from covey.utils.extras import load

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from covey.evidence import Measured
    from covey.recount.requirements import ClassesShow
    from covey.report.collect import Report

    Writer = TypeVar("Writer", bound=Callable[..., str])


def render(report: Report, path: Path, *, internal: bool) -> str:
    """The internal report, or the public one, in the format of the path's suffix: .html, .json or .txt."""
    return by_suffix(path, to_html, to_json, to_text)(report if internal else report.public())


def by_suffix(path: Path, page: Writer, plain: Writer, text: Writer) -> Writer:
    """Which of three writers of a report the path's suffix asks for."""
    known = {".html": page, ".htm": page, ".json": plain, ".txt": text}
    if path.suffix.lower() not in known:
        raise OutputError(
            f"a report cannot be written as {path.suffix or 'a file without a suffix'!r}; needed: .html, .json or .txt"
        )
    return known[path.suffix.lower()]


def page_of(package: str, template: str, **values: object) -> str:
    """An HTML page that needs nothing else, from a template of a package."""
    jinja = load("jinja2")
    environment = jinja.Environment(loader=jinja.PackageLoader(package), autoescape=True, trim_blocks=True)
    page: str = environment.get_template(template).render(**values)
    return page


def to_json(report: Report) -> str:
    """The report as JSON."""
    return json.dumps(report.as_dict(), indent=2, ensure_ascii=False) + "\n"


BRIEFLY = (Measure.RECORD_LINKAGE, Measure.PROSECUTOR_RISK, Measure.INFORMATION_LOSS, Measure.PROPENSITY_SCORE)


def to_text(report: Report, *, brief: bool = False) -> str:
    """The report as lines of text; briefly, with a few of the measures only."""
    k = f"k = {report.k_achieved} achieved, {report.k_asked} asked, counted in {report.counted_in}"
    lines = [f"{k}; {report.records_out} records in {report.classes} classes"]
    if report.suppressed and report.records_in:
        lines.append(f"{report.suppressed} of {report.records_in} records are not published")
    lines += _groups(report)
    lines += [] if report.left_out is None else [left_out(report.left_out)]
    lines += [f"{coded.end} coding of {coded.column} at {coded.asked}" for coded in report.coding]
    lines += [f"total of {total.column}: {total.change_percent:+.3f} %" for total in report.totals]
    lines += [f"asked: {met.asked}; the worst class reaches {met.worst_class:.4g}" for met in report.requirements]
    lines += map(_sensitive, report.sensitive)
    measures = [*report.risk, *report.utility]
    lines += [_measured(measured) for measured in measures if not brief or measured.name in BRIEFLY]
    lines += [f"note: {note}" for note in report.notes]
    return "\n".join([*lines, report.promise]) + "\n"


def _groups(report: Report) -> list[str]:
    """How the records were grouped and, in an internal report, what that lost."""
    if not report.internal:
        return [_chosen(choice) for choice in report.choices]
    return [
        f"{_chosen(group.choice)}: {group.groups} groups of {group.smallest} to {group.largest}; {group.loss_percent:.2f} % of the "
        f"variation lost by grouping ({proven(group)}{_gap(group)}{_price(group)})"
        for group in report.groups
    ]


def left_out(facts: LeftOutFacts) -> str:
    """What leaving records out bought."""
    done = "published without quasi-identifiers" if facts.as_missing else "left out"
    best = ", the best choice" if facts.best else ""
    return (
        f"{facts.records} records {done} since they cost most{best}: the others lose {facts.loss_percent:.2f} % of the variation of all records, "
        f"{facts.loss_percent_charged:.2f} % with those charged at the mean of all; {facts.loss_percent_of_published:.2f} % of their own"
    )


def _chosen(choice: GroupChoice) -> str:
    return f"grouped {', '.join(choice.columns)} by {choice.method}"


def _sensitive(show: ClassesShow) -> str:
    values = "1 value" if show.distinct_l == 1 else f"{show.distinct_l} values"
    text = f"sensitive {show.column}: at least {values} in a class"
    if show.t_closeness is None:
        return text
    return (
        f"{text}; classes differ from the whole by up to {show.t_closeness:.2f} (t-closeness, {show.distance} distance)"
    )


def proven(group: GroupFacts) -> str:
    """What is proven of a grouping, of the cost that was minimised."""
    if group.status != "optimal":
        return "a good grouping, not proven the best"
    least = "the least possible" if group.cost == "sse" else f"the least possible for the cost {group.cost}"
    return least if group.loss_percent_without is None else f"{least} with these requirements"


def _price(group: GroupFacts) -> str:
    """What the requirements cost."""
    without = group.loss_percent_without
    return "" if without is None else f"; {without:.2f} % without the requirements on sensitive columns"


def _gap(group: GroupFacts) -> str:
    return "" if group.above_best is None else f"; {group.above_best}"


def _measured(measured: Measured) -> str:
    where = f" of {measured.column}" if measured.column is not None else ""
    where += f" in {measured.stratum}" if measured.stratum is not None else ""
    value = "not finite" if measured.finite is None else f"{measured.finite:.4g}"
    ends = measured.interval
    between = f" ({ends[0]:.3g} to {ends[1]:.3g})" if ends else ""
    original = measured.original
    before = "" if original is None or not math.isfinite(original) else f", {original:.4g} in the original"
    return f"{measured.label}{where}: {value}{between}{before}; {measured.name.better} is better"


def to_html(report: Report) -> str:
    """The report as one HTML page that needs nothing else."""
    tables = [
        ("Risk: what an attacker gains", report.internal, _by_meaning(report.risk)),
        ("Utility: what an analyst loses", False, _by_meaning(report.utility)),
    ]
    return page_of(
        "covey.report",
        "report.html",
        r=report,
        drawings=drawings(report) if report.risk else {},
        tables=[table for table in tables if table[2]],
        brief=[measured for measured in (*report.risk, *report.utility) if measured.name in BRIEFLY],
        proven=proven,
        left_out=left_out,
        changes=WITHIN_STRATA,
    )


def _by_meaning(measures: Sequence[Measured]) -> list[list[Measured]]:
    """Measures that mean the same of several columns, together."""
    alike: dict[tuple[str, str, str | None], list[Measured]] = {}
    for measured in measures:
        alike.setdefault((measured.label, measured.meaning, measured.attacker), []).append(measured)
    return list(alike.values())
