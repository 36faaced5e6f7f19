"""Each number of a report with its sentence."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from covey.core.measure import Measure
from covey.report.records import above_best, bounded_for

if TYPE_CHECKING:
    from collections.abc import Mapping


class Figure(NamedTuple):
    """A number as it is shown, its title and what it means."""

    title: str
    value: str
    sentence: str


def figures(report: Mapping[str, Any]) -> list[Figure]:
    """The numbers that decide, of a report as plain values.

    >>> shown = figures({"records_out": 1000, "k_achieved": 5, "k_asked": 5, "counted_in": "records", "classes": 180, "groups": [],
    ...     "counted_over": ["age"], "risk": [{"measure": "record linkage", "value": 0.012}], "utility": []})
    >>> shown[1].sentence
    'An attacker who knows exactly these columns would link 12 of 1000 records to their own published ones.'
    """
    measured = {one["measure"]: one for one in (*report["risk"], *report["utility"])}
    k, records = report["k_achieved"], report["records_out"]
    promised = (
        f"Nobody can single out fewer than {k} {report['counted_in']} by {listed(report['counted_over'])} alone; "
    )
    if few := report.get("of_few"):
        k = few["k"]
        promised = f"Nobody can single out fewer than {k} {report['counted_in']} by any {few['columns']} of {listed(report['counted_over'])}, but by all of them; "
    shown_figures = [
        Figure(
            "k achieved",
            str(k),
            f"{promised}k = {report['k_asked']} was asked for. The release has {report['classes']} classes.",
        )
    ]
    linkage, loss = measured.get(Measure.RECORD_LINKAGE), measured.get(Measure.INFORMATION_LOSS)
    if linkage is not None:
        linked = f"would link {_counted(linkage, records)} records to their own published ones."
        shown = f"{100 * linkage['value']:.1f} %"
        shown_figures.append(Figure("Risk: linkage", shown, f"An attacker who knows exactly these columns {linked}"))
    if loss is not None:
        shown = f"{loss['value']:.2f} %"
        lost = f"Of the differences between records, {shown} are lost: 0 would be the original, 100 a table of means."
        shown_figures.append(Figure("Loss", shown, lost))
    return shown_figures + _gaps(report["groups"])


def recommendation(compared: Mapping[str, Any]) -> str:
    """Which setting is recommended, and what one k less and one more would cost, in a sentence.

    >>> setting = {"k": 5, "method": "auto", "loss": 6.5, "risk": 0.18, "error": None}
    >>> recommendation({"settings": [setting], "best": (5, "auto"), "beside": [setting | {"k": 6, "loss": 7.6, "risk": 0.15}]})
    'Take auto with k = 5: 6.5 % of the information is lost and 18.0 % of the records would be linked; k = 6 loses 1.1 points more and links 3.0 points fewer.'
    """
    best = next(
        setting for setting in compared["settings"] if (setting["k"], setting["method"]) == tuple(compared["best"])
    )
    loss, risk = best["loss"], 100 * best["risk"]
    said = f"Take {best['method']} with k = {best['k']}: {loss:.1f} % of the information is lost and {risk:.1f} % of the records would be linked"
    near = [setting for setting in compared["beside"] if setting["error"] is None]
    changes = [(setting["k"], setting["loss"] - loss, 100 * setting["risk"] - risk) for setting in near]
    beside = [
        f"k = {k} loses {_points(more, 'less')} and links {_points(riskier, 'fewer')}" for k, more, riskier in changes
    ]
    return "; ".join([said, *beside]) + "."


def _points(change: float, fewer: str) -> str:
    return f"{abs(change):.1f} points {fewer if change < 0 else 'more'}"


def _counted(share: Mapping[str, Any], records: int) -> str:
    """So many of so many; where only a sample was looked at, about so many, and from where to where."""
    number, interval = round(share["value"] * records), share.get("interval")
    if interval is None:
        return f"{number} of {records}"
    low, high = math.floor(interval[0] * records), math.ceil(interval[1] * records)
    return f"about {number} (95 %: {low} to {high}) of {records}"


def _gaps(groups: list[dict[str, Any]]) -> list[Figure]:
    gaps = []
    for group in groups:
        of = "" if len(groups) == 1 else f" of {listed(group['columns'])}"
        if group["status"] == "optimal":
            asked = bounded_for(group.get("loss_percent_without") is not None, known=True)
            gaps.append(
                Figure("Above the best", "0 %", f"The grouping{of} is proven: no other loses less with {asked}.")
            )
        elif group.get("gap_percent") is not None:
            gaps.append(_gap(group, of))
    return gaps


def _gap(group: Mapping[str, Any], of: str) -> Figure:
    gap, interval = group["gap_percent"], group.get("gap_interval")
    most = above_best(gap if interval is None else interval[1])
    if most is None:
        return Figure(
            "Above the best",
            "not known",
            f"No bound on the loss{of} is known: it is not known how far it is above the least possible.",
        )
    estimated = "" if interval is None else " (estimated on some of the records, 95 %)"
    k = bounded_for(group.get("loss_percent_without") is not None, bool(group.get("gap_with_requirements")))
    said = (
        f"Whatever the method, the loss{of} is proven to be at most {most} above the best possible for {k}{estimated}."
    )
    return Figure(
        "Above the best",
        f"at most {most}",
        f"{said} That is a share of the loss, not of the information. Another grouping may lose less.",
    )


def listed(names: list[str]) -> str:
    """Names in a sentence.

    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    return " and ".join(part for part in (", ".join(names[:-1]), names[-1]) if part) if names else "nothing"
