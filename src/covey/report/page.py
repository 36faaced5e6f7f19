"""A report as one HTML page that needs nothing else: the answer first, then the settings, then the details."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from covey.core import drawing
from covey.core.measure import Measure
from covey.report import numbers
from covey.report.records import WITHIN_STRATA, left_out, proven
from covey.report.tables import Bars, attacks, by_column, losses, overall
from covey.utility.domains import worst_of
from covey.utils.extras import load
from covey.utils.words import counted

if TYPE_CHECKING:
    from covey.report.collect import Report
    from covey.utility.columns import ColumnSummary
    from covey.utility.domains import DomainFigure

MOST = 30
"""So many columns are drawn; more would be neither read nor quick. The numbers of all of them are in the report."""
CARDS = {
    Measure.RECORD_LINKAGE: (
        "Records found",
        "The share of records that someone who knows all these columns exactly as they were would link to the right person.",
    ),
    Measure.PROSECUTOR_RISK: (
        "Largest chance to name a person",
        "In the smallest class, for someone who knows the released values of a person in it.",
    ),
    Measure.INFORMATION_LOSS: ("Information lost", "Of the variation between records, of all columns together."),
}


ROLES = {
    "quasi": "quasi-identifier",
    "random_ids": "random ids",
    "keep": "kept",
    "drop": "dropped",
    "strata": "stratum",
    "member_role": "role in the unit",
}
"""What a reader calls the roles."""
WHY = {
    "quasi": "others may know it, so it is grouped and the group's value is published",
    "sensitive": "others would like to learn it; published as it is",
    "drop": "names the person, or is not needed; not published",
    "random_ids": "names the person; replaced by random ids",
    "unit": "who the rows belong to; groups are counted in these",
    "member_role": "what a row is in its unit; published as it is",
    "time": "when a row of a unit was; published as it is",
    "strata": "published as it is, or merged; groups do not cross it",
    "weight": "enters the means",
    "keep": "taken not to be known to others; published as it is",
}


class ColumnsOfRole(NamedTuple):
    """Columns of one role that were taken for the same, and why they have it."""

    columns: list[str]
    role: str
    kind: str
    why: str


class Card(NamedTuple):
    """A number of the first screen."""

    title: str
    bars: Bars
    sentence: str


def page_of(package: str, template: str, **values: object) -> str:
    """An HTML page that needs nothing else, from a template of a package."""
    jinja = load("jinja2")
    environment = jinja.Environment(loader=jinja.PackageLoader(package), autoescape=True, trim_blocks=True)
    page: str = environment.get_template(template).render(**values)
    return page.lstrip()


def to_html(report: Report) -> str:
    """The report as one HTML page."""
    sizes = report.class_sizes
    return page_of(
        "covey.report",
        "report.html",
        r=report,
        before=drawing.BEFORE,
        after=drawing.AFTER,
        cards=_cards(report),
        losses=losses(report.utility),
        sizes=numbers.range_of(min(sizes), max(sizes)) if sizes else "0",
        roles=_roles(report),
        judged={shown.column for shown in report.sensitive},
        attacks=attacks(report.risk, report.records_out),
        risk_columns=by_column(report.risk),
        uses=overall(report.utility),
        use_columns=by_column(report.utility),
        histograms={
            shares.column: drawing.histogram(shares.column, shares.edges, shares.after, shares.before)
            for shares in report.distributions[:MOST]
        },
        categories=_categories,
        drawn_sizes=drawing.class_sizes(sizes) if len(sizes) > 1 else "",
        most=MOST,
        worst=worst_of(report.domains),
        figure=_figure,
        moved=_moved,
        changes=WITHIN_STRATA,
        counted=_counted,
        records=numbers.records,
        number=numbers.number,
        percent=numbers.percent,
        measured=numbers.measured,
        range_of=numbers.range_of,
        proven=proven,
        left_out=left_out,
    )


def _cards(report: Report) -> list[Card]:
    """The numbers of the first screen, each with a bar from none to all."""
    cards = []
    measures = {measured.name: measured for measured in (*report.risk, *report.utility) if measured.column is None}
    for name, (title, sentence) in CARDS.items():
        if name in measures:
            share = 1.0 if name is not Measure.INFORMATION_LOSS else 100.0
            measured, before = measures[name], measures[name].original
            bars = Bars(
                measured.label,
                measured.meaning,
                numbers.of(measured),
                min(100.0, 100.0 * measured.value / share),
                numbers.original_of(measured),
                None if before is None else min(100.0, 100.0 * before / share),
                "",
            )
            cards.append(Card(title, bars, sentence))
    return cards


def _counted(number: int, noun: str, several: str = "") -> str:
    """A number with its noun, thousands apart."""
    return counted(number, noun, several).replace(str(number), f"{number:,}", 1)


def _roles(report: Report) -> list[ColumnsOfRole]:
    """The columns of every role, those of one kind and reason together."""
    rows: dict[tuple[str, str, str], list[str]] = {}
    for role, columns in report.roles.items():
        for name in columns:
            kind = ", ".join(kind for kind, alike in report.kinds.items() if name in alike)
            why = f"{report.reasons[name]} Hence: {WHY[role]}" if name in report.reasons else WHY[role]
            rows.setdefault((role, kind, why), []).append(name)
    return [ColumnsOfRole(columns, ROLES.get(role, role), kind, why) for (role, kind, why), columns in rows.items()]


def _categories(summary: ColumnSummary) -> list[Bars]:
    """Counts and shares of the categories of a column."""
    rows = []
    after = sum(category.after for category in summary.categories) or 1
    before = sum(category.before or 0 for category in summary.categories) or 1
    for category in summary.categories:
        share = 100.0 * category.after / after
        text = f"{category.after:,} ({numbers.percent(share)})"
        if category.before is None:
            rows.append(Bars(category.value, "", text, share, "", None, ""))
            continue
        was = 100.0 * category.before / before
        rows.append(Bars(category.value, "", text, share, f"{category.before:,} ({numbers.percent(was)})", was, ""))
    return rows


def _figure(figure: DomainFigure, value: float) -> str:
    return numbers.percent(100 * value) if figure.is_share else numbers.number(value)


def _moved(figure: DomainFigure) -> str:
    if figure.is_share:
        return numbers.percent(100 * figure.away).replace(" %", " points")
    return numbers.percent(figure.away) if figure.is_total else numbers.number(figure.away)
