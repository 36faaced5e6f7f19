"""A report as text, JSON or HTML, by the suffix of its file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TypeVar

from covey.errors import OutputError
from covey.report.plots import drawings
from covey.utils.extras import load

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from covey.report.collect import Report

    Writer = TypeVar("Writer", bound=Callable[..., str])


def render(report: Report, path: Path) -> str:
    """The report in the format of the path's suffix: .html, .json or .txt."""
    return by_suffix(path, to_html, to_json, to_text)(report)


def by_suffix(path: Path, page: Writer, plain: Writer, text: Writer) -> Writer:
    """Which of three writers of a report the path's suffix asks for."""
    known = {".html": page, ".htm": page, ".json": plain, ".txt": text}
    if path.suffix.lower() not in known:
        msg = (
            f"a report cannot be written as {path.suffix or 'a file without a suffix'!r}; needed: .html, .json or .txt"
        )
        raise OutputError(msg)
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


BRIEFLY = ("record linkage", "prosecutor risk", "information loss", "propensity score")


def to_text(report: Report, *, brief: bool = False) -> str:
    """The report as lines of text; briefly, with a few of the measures only."""
    r = report
    lines = [
        f"k = {r.k_achieved} achieved, {r.k_asked} asked, counted in {r.counted_in}; {r.records_out} records in {r.classes} classes"
    ]
    if r.suppressed and r.records_in:
        lines.append(f"{r.suppressed} of {r.records_in} records are not published")
    for group in r.groups:
        made = f"grouped {', '.join(group['columns'])} by {group['method']}"
        if r.internal:
            made += (
                f": {group['groups']} groups of {group['smallest']} to {group['largest']}; {group['loss_percent']:.2f} % of the "
                f"variation lost by grouping ({proven(group)}{_gap(group)}{_price(group)})"
            )
        lines.append(made)
    lines += [f"{one['end']} coding of {one['column']} at {one['asked']}" for one in r.coding]
    lines += [f"total of {t['column']}: {t['change_percent']:+.3f} %" for t in r.totals]
    lines += [f"asked: {one['asked']}; the worst class reaches {one['worst_class']:.4g}" for one in r.requirements]
    lines += [
        f"sensitive {s['column']}: at least {s['distinct_l']} values in a class"
        + (
            ""
            if s["t_closeness"] is None
            else f"; classes differ from the whole by up to {s['t_closeness']:.2f} (t-closeness, {s['distance']} distance)"
        )
        for s in r.sensitive
    ]
    lines += [_measured(one) for one in (*r.risk, *r.utility) if not brief or one["measure"] in BRIEFLY]
    lines += [f"note: {note}" for note in r.notes]
    return "\n".join([*lines, r.promise]) + "\n"


def proven(group: dict[str, Any]) -> str:
    """What is proven of a grouping, of the cost that was minimised."""
    if group["status"] != "optimal":
        return "a good grouping, not proven the best"
    return "the least possible" if group["cost"] == "sse" else f"the least possible for the cost {group['cost']}"


def _price(group: dict[str, Any]) -> str:
    """What the requirements cost."""
    without = group["loss_percent_without"]
    return "" if without is None else f"; {without:.2f} % without the requirements on sensitive columns"


def _gap(group: dict[str, Any]) -> str:
    gap = group.get("gap_percent")
    if gap is None or group["status"] == "optimal":
        return ""
    ends = group.get("gap_interval")
    between = f" ({100 - ends[1]:.0f} to {100 - ends[0]:.0f}, from a sample)" if ends else ""
    return f", {100 - gap:.0f} % of that{between} unavoidable"


def _measured(one: dict[str, Any]) -> str:
    where = f" of {one['column']}" if "column" in one else ""
    where += f" in {one['stratum']}" if "stratum" in one else ""
    value = "not finite" if one["value"] is None else f"{one['value']:.4g}"
    ends = one.get("interval")
    between = f" ({ends[0]:.3g} to {ends[1]:.3g})" if ends else ""
    before = "" if one.get("original") is None else f", {one['original']:.4g} in the original"
    return f"{one['measure']}{where}: {value}{between}{before}; {one['better']} is better"


def to_html(report: Report) -> str:
    """The report as one HTML page that needs nothing else."""
    shown = drawings(report) if report.risk else {}
    brief = [one for one in (*report.risk, *report.utility) if one["measure"] in BRIEFLY]
    titles = {"Risk: what an attacker gains": report.risk, "Utility: what an analyst loses": report.utility}
    tables = [(title, _by_meaning(measured)) for title, measured in titles.items() if measured]
    return page_of("covey.report", "report.html", r=report, drawings=shown, tables=tables, brief=brief, proven=proven)


def _by_meaning(measured: Sequence[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Measures that mean the same of several columns, together."""
    found: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for one in measured:
        found.setdefault((one["measure"], one["meaning"], one.get("attacker")), []).append(one)
    return list(found.values())
