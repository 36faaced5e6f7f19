"""Each number of a report with its sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping


class Figure(NamedTuple):
    """A number as it is shown, its title and what it means."""

    title: str
    value: str
    sentence: str


def figures(report: Mapping[str, Any]) -> list[Figure]:
    """The numbers that decide, of a report as plain values.

    >>> found = figures({"records_out": 1000, "k_achieved": 5, "k_asked": 5, "counted_in": "records", "classes": 180, "groups": [],
    ...     "counted_over": ["age"], "risk": [{"measure": "record linkage", "value": 0.012}], "utility": []})
    >>> found[1].sentence
    'An attacker who knows exactly these columns would link 12 of 1000 records to their own published ones.'
    """
    measured = {one["measure"]: one["value"] for one in (*report["risk"], *report["utility"])}
    k, records = report["k_achieved"], report["records_out"]
    promised = (
        f"Nobody can single out fewer than {k} {report['counted_in']} by {listed(report['counted_over'])} alone; "
    )
    found = [
        Figure("k achieved", str(k), f"{promised}{report['k_asked']} were asked for, in {report['classes']} classes.")
    ]
    linkage, loss = measured.get("record linkage"), measured.get("information loss")
    if linkage is not None:
        linked = f"would link {round(linkage * records)} of {records} records to their own published ones."
        found.append(
            Figure("Risk: linkage", f"{100 * linkage:.1f} %", f"An attacker who knows exactly these columns {linked}")
        )
    if loss is not None:
        lost = (
            f"Of the differences between records, {loss:.2f} % are lost: 0 would be the original, 100 a table of means."
        )
        found.append(Figure("Loss", f"{loss:.2f} %", lost))
    return found + _gaps(report["groups"])


def _gaps(groups: list[dict[str, Any]]) -> list[Figure]:
    found = []
    for group in groups:
        of = "" if len(groups) == 1 else f" of {listed(group['columns'])}"
        if group["status"] == "optimal":
            found.append(
                Figure("Optimality gap", "0 %", f"The grouping{of} is proven: no other loses less with this k.")
            )
        elif group.get("gap_percent") is not None:
            gap = group["gap_percent"]
            found.append(
                Figure(
                    "Optimality gap",
                    f"{gap:.0f} %",
                    f"At least {100 - gap:.0f} % of the loss{of} is unavoidable with this k, whatever the method; the rest is "
                    "not proven either way.",
                )
            )
    return found


def listed(names: list[str]) -> str:
    """Names in a sentence.

    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    return " and ".join(part for part in (", ".join(names[:-1]), names[-1]) if part) if names else "nothing"
