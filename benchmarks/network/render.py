"""Renders what benchmarks.network.run wrote."""

from __future__ import annotations

from benchmarks.harness.rendering import Columns, Row, Section, grid, verdict


def numbers(values: list[float | None]) -> str:
    return ", ".join("none" if value is None else f"{value:g}" for value in values)


def proven(row: Row) -> int:
    return sum(status in ("optimal", "infeasible") for status in row["status"])


COLUMNS: Columns = [
    ("network", "{graph}"),
    ("vertices", lambda row: str(max(row["vertices"]))),
    ("lower", "{lower}"),
    ("upper", "{upper}"),
    ("connected", lambda row: "yes" if row["connected"] else "no"),
    ("what", "{objective}"),
    ("answers", lambda row: numbers(row["loss"])),
    ("bounds", lambda row: numbers(row["bound"])),
    ("proven", lambda row: f"{proven(row)} of {len(row['status'])}"),
    ("by", lambda row: ", ".join(row["by"])),
    ("seconds, median", "{seconds:.2f}"),
    ("slowest", "{slowest:.2f}"),
    ("GiB", "{gib:.2f}"),
]


def held(row: Row) -> str:
    return verdict(proven(row) == len(row["status"]) and row["slowest"] <= row["limit"])


def reach(data: Row) -> str:
    note = 'One answer for each seed; "none": proven that there is no partition. Held: the slowest in time, all proven.'
    return f"{note}\n\n{grid(data['rows'], [*COLUMNS, ('limit, s', '{limit:.0f}'), ('held', held)])}"


def further(data: Row) -> str:
    note = "By `auto`, with a time limit of 30 s: what is proven, and how far the bound is where it is not."
    return f"{note}\n\n{grid(data['rows'], COLUMNS)}"


def yes_or_no(answer: bool | None) -> str:  # noqa: FBT001
    return "not decided" if answer is None else "yes" if answer else "no"


HARD: Columns = [
    ("theorem", "{theorem}"),
    ("vertices", "{n}"),
    ("edges", "{m}"),
    ("lower", "{lower}"),
    ("upper", "{upper}"),
    ("distance", "{distance}"),
    ("connected", lambda row: "yes" if row["connected"] else "no"),
    ("treewidth at most", lambda row: str(row["treewidth"] or "")),
    ("cover at most", lambda row: str(row["cover"] or "")),
    ("answer", lambda row: yes_or_no(row["answer"])),
    ("found", lambda row: yes_or_no(row["decided"])),
    ("by", "{by}"),
    ("seconds", "{seconds:.2f}"),
]


def hard(data: Row) -> str:
    note = f"Made from problems whose answer is known; by `auto`, with a time limit of {data['limit']:.0f} s."
    wrong = sum(row["decided"] not in (None, row["answer"]) for row in data["rows"])
    undecided = sum(row["decided"] is None for row in data["rows"])
    total = f"Of {len(data['rows'])}: {wrong} wrong, {undecided} not decided."
    return f"{note} {total}\n\n{grid(data['rows'], HARD)}"


SECTIONS = {
    "network-unconnected": Section("Networks: the smallest radius, clusters need not be connected", reach),
    "network-trees": Section("Networks: by treewidth, connected clusters (theorem 2) and others (theorem 1)", reach),
    "network-connected": Section("Networks: connected clusters, bounds and CP-SAT", reach),
    "network-further": Section("Networks: further questions", further),
    "network-hard": Section("Networks: the instances of the hardness proofs", hard),
}
