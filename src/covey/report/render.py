"""A report as text or JSON, by the suffix of its file; as a page see `covey.report.page`."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, TypeVar

from covey.core.measure import Measure
from covey.errors import OutputError
from covey.report import numbers
from covey.report.page import page_of, to_html
from covey.report.records import GroupChoice, left_out, proven
from covey.utils.words import counted

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from covey.evidence import Measured
    from covey.recount.requirements import ClassesShow
    from covey.report.collect import Report
    from covey.report.records import GroupFacts

    Writer = TypeVar("Writer", bound=Callable[..., str])

__all__ = ["by_suffix", "page_of", "render", "to_html", "to_json", "to_text"]


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


def to_json(report: Report) -> str:
    """The report as JSON."""
    return json.dumps(report.as_dict(), indent=2, ensure_ascii=False) + "\n"


BRIEFLY = (Measure.RECORD_LINKAGE, Measure.PROSECUTOR_RISK, Measure.INFORMATION_LOSS, Measure.PROPENSITY_SCORE)


def to_text(report: Report, *, brief: bool = False) -> str:
    """The report as lines of text; briefly, with a few of the measures and settings only."""
    k = f"k = {report.k_in_words}"
    lines = [] if brief else _head(report)
    lines += [f"{k}; {numbers.records(report.published)} in {counted(report.classes, 'class', 'classes')}"]
    if report.not_published:
        pairs = zip(report.not_published, report.came_in, strict=True)
        of_tables = (f"{lost} of {counted(number, 'record')}" for lost, number in pairs)
        lines.append(f"{' and '.join(of_tables)} not published")
    of_all = ", of all records that came in" if report.not_published else ""
    lines += _groups(report)
    lines += [] if report.left_out is None else [left_out(report.left_out)]
    lines += [f"{coded.end} coding of {coded.column} at {coded.asked}" for coded in report.coding]
    lines += [
        f"total of {total.column}{of_all}: {numbers.percent(total.change_percent, signed=True)}"
        for total in report.totals
    ]
    lines += [
        f"asked: {met.asked}; the worst class reaches {numbers.number(met.worst_class)}" for met in report.requirements
    ]
    lines += map(_sensitive, report.sensitive)
    measures = [*report.risk, *report.utility]
    lines += [_measured(measured) for measured in measures if not brief or measured.name in BRIEFLY]
    lines += [f"note: {note}" for note in report.notes]
    return "\n".join([*lines, report.promise]) + "\n"


def _head(report: Report) -> list[str]:
    """What the data are, and how the release was made."""
    about = (report.title, report.publisher, report.file, report.made, f"covey {report.covey}")
    kinds = [f"{kind}: {', '.join(columns)}" for kind, columns in report.kinds.items()]
    return [", ".join(filter(None, about)), *kinds, *(f"{one.name}: {one.value}" for one in report.settings)]


def _groups(report: Report) -> list[str]:
    """How the records were grouped and, in an internal report, what that lost."""
    if not report.internal:
        return [_chosen(choice) for choice in report.choices]
    return [
        f"{_chosen(group.choice)}: {counted(group.groups, 'group')} of {numbers.range_of(group.smallest, group.largest)}; "
        f"{numbers.percent(group.loss_percent)} of the variation lost by grouping ({proven(group)}{_gap(group)}{_price(group)})"
        for group in report.groups
    ]


def _chosen(choice: GroupChoice) -> str:
    return f"grouped {', '.join(choice.columns)} by {choice.method}"


def _sensitive(show: ClassesShow) -> str:
    text = f"sensitive {show.column}: at least {counted(show.distinct_l, 'value')} in a class"
    if show.t_closeness is None:
        return text
    return f"{text}; classes differ from the whole by up to {numbers.number(show.t_closeness)} (t-closeness, {show.distance} distance)"


def _price(group: GroupFacts) -> str:
    """What the requirements cost."""
    without = group.loss_percent_without
    return "" if without is None else f"; {numbers.percent(without)} without the requirements on sensitive columns"


def _gap(group: GroupFacts) -> str:
    return "" if group.above_best is None else f"; {group.above_best}"


def _measured(measured: Measured) -> str:
    where = f" of {measured.column}" if measured.column is not None else ""
    where += f" in {measured.stratum}" if measured.stratum is not None else ""
    between = f" ({numbers.interval_of(measured)})" if measured.interval else ""
    original = measured.original
    before = (
        "" if original is None or not math.isfinite(original) else f", {numbers.original_of(measured)} in the original"
    )
    return f"{measured.label}{where}: {numbers.of(measured)}{between}{before}; {measured.name.better} is better"
