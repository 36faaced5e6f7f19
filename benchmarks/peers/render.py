"""The comparison with the peers: all of it for RESULTS.md, the short form for the README."""

from __future__ import annotations

import re

from benchmarks.harness.measure import ROOT
from benchmarks.harness.rendering import Columns, Row, Section, grid, load, table, verdict

README = ROOT / "README.md"
START, STOP = "<!-- peers: written by benchmarks/render.py -->", "<!-- /peers -->"
HEAD = ["package", *(f"k = {k}" for k in (3, 5, 10))]
SHORT = [  # what the README shows: a title, and the cell that it is about
    ("a column, n = 1e6, k = 5", {"kind": "line", "table": "1e+06", "k": 5}),
    ("5 columns, n = 1e4, k = 5", {"kind": "space", "table": "1e+04", "k": 5}),
    ("5 columns, n = 1e6, k = 5", {"kind": "space", "table": "1e+06", "k": 5}),
    ("Census, k = 5", {"kind": "table", "table": "census", "k": 5}),
]


def time_and_memory(row: Row) -> str:
    if row.get("not_run"):
        return f"not run ({row['not_run']})"
    if "over" in row:
        return f"over {row['over']:.0f} s"
    if "error" in row:
        return "out of memory" if "emory" in row["error"] else "failed"
    return f"{row['seconds']:.3g} s, {max(row['peak_mib'], 0):.0f} MiB"


def outcome(row: Row) -> str:
    told = time_and_memory(row)
    percent = row.get("percent")
    return told if percent is None else f"{percent:.4g} %, {told}"


def names(rows: list[Row]) -> list[str]:
    return list(dict.fromkeys(row["package"] for row in rows))


def losses(data: Row, kind: str, which: str) -> str:
    rows = [row for row in data["rows"] if row["kind"] == kind and row["table"] == which]
    cells = {(row["package"], row["k"]): outcome(row) for row in rows}
    return table(HEAD, [[name, *(cells.get((name, k), "") for k in (3, 5, 10))] for name in names(rows)])


def grids(data: Row, kind: str, title: str) -> str:
    tables = dict.fromkeys(row["table"] for row in data["rows"] if row["kind"] == kind)
    return "\n\n".join(f"{title} {which}:\n\n{losses(data, kind, which)}" for which in tables)


def wrongs(data: Row) -> dict[str, dict[str, list[Row]]]:
    """Package -> what it got wrong, in kinds -> the cells that show it."""
    found: dict[str, dict[str, list[Row]]] = {name: {} for name in names([*data["rows"], *data["measures"]])}
    for row in [*data["rows"], *data["measures"]]:
        for wrong in row.get("wrong", []):
            found[row["package"]].setdefault(kind_of(wrong), []).append(row | {"shown": wrong})
    return found


def kind_of(wrong: str) -> str:
    words = {
        "groups below k": "groups below k",
        "rows lost": "rows lost",
        "not the optimum": "not the optimum",
        "not MDAV": "not MDAV",
        "without a word": "grouped what has no answer",
        "MemoryError": "out of memory",
        "failed": "failed",
        "counted": "wrong measures",
    }
    return next((name for part, name in words.items() if part in wrong), "wrong number of labels")


def by_how_much(wrong: str) -> float:
    """The percentage that a verdict names, or 0."""
    found = re.search(r"([-+.e\d]+) %", wrong)
    return float(found[1]) if found else 0.0


def wrong_table(data: Row) -> str:
    rows = []
    for name, kinds in wrongs(data).items():
        cells = sum(row["package"] == name and not row.get("not_run") for row in [*data["rows"], *data["measures"]])
        if not kinds:
            rows.append([name, str(cells), "nothing seen", ""])
        for kind, shown in kinds.items():
            worst = max(shown, key=lambda row: by_how_much(row["shown"]))
            where = worst.get("question") or f"{worst['table']}, k = {worst['k']}"
            rows.append([name, str(cells), f"{kind} ({len(shown)})", f"{where}: {worst['shown']}".replace("|", "/")])
    return table(["package", "answers", "what was wrong (how often)", "the worst, or the first"], rows)


def measures(data: Row) -> str:
    rows = []
    for row in data["measures"]:
        found = row.get("measures", {})
        shown = ", ".join(f"{name} = {value:.4g}" for name, value in found.items()) or time_and_memory(row)
        took = f"{row['seconds']:.3g}" if "seconds" in row else ""
        wrong = "; ".join(row["wrong"]) or ("right" if row["counted"] else "not counted by definition")
        rows.append([row["question"], row["package"], shown, took, wrong])
    return table(["table", "package", "measures", "from file to measures, s", "beside the count by definition"], rows)


def same_groups(data: Row) -> str:
    """How many groups of another MDAV are groups of ours."""
    rows = [row for row in data["rows"] if "shared" in row and not row["package"].startswith("covey")]
    cells = [[row["table"], str(row["k"]), row["package"], f"{100 * row['shared']:.4g} %"] for row in rows]
    return table(["table", "k", "package", "of its groups are ours"], cells)


DISCLOSURE: Columns = [
    ("table, released by mdav", "{table}"),
    ("k", "{k}"),
    ("function of sdcMicro", "{function}"),
    ("sdcMicro", lambda row: "failed" if row["sdcmicro"] is None else f"{row['sdcmicro']:.8g}"),
    ("covey", "{covey:.8g}"),
    ("the same", lambda row: verdict(row["agrees"])),
    ("", "{note}"),
]


def versions(data: Row) -> str:
    known = {
        row["package"].split(",")[0]: row["version"].split("+")[0]
        for row in [*data["rows"], *data["measures"]]
        if "version" in row
    }
    return ", ".join(f"{name} {version}" for name, version in known.items())


def peers(data: Row) -> str:
    """The whole comparison."""
    missing = "".join(f" {reason}." for reason in data["missing"])
    how = (
        f"Each cell: loss (SSE / SST), seconds of one call after a small first one, peak memory above what the loaded package"
        f" and the table take; a fresh process each, all cores, defaults (k-means with one start), at most {data['limit']:.0f} s"
        f" and 12 GiB. A package that would be over the limit, were it linear in n, is not run. All on the same standardised"
        f" tables. {versions(data)}.{missing} The run took {data['minutes']:.0f} minutes."
    )
    parts = [
        how,
        "What each got wrong, seen in this run: groups, rows and labels recounted; the loss on a line beside the exact optimum"
        " (whole numbers) up to n = 1e5; MDAV beside its definition up to n = 1e4.\n\n" + wrong_table(data),
        grids(data, "table", "The table"),
        grids(data, "line", "One column (amounts of money, with ties), n ="),
        grids(data, "space", "Five columns (20 normal clouds), n ="),
        "k, l and t of a published table. sdcMicro (freqCalc, ldiversity; no t) takes a missing quasi-identifier for any value:\n\n"
        + measures(data),
        "MDAV of other packages beside ours: groups of exactly the same records.\n\n" + same_groups(data),
    ]
    if data.get("disclosure"):
        parts.append("Risk and losses of released numbers:\n\n" + grid(data["disclosure"], DISCLOSURE))
    return "\n\n".join(part for part in parts if part)


def short(data: Row) -> str:
    """What the README shows."""
    found = wrongs(data)
    rows = []
    for name in names([*data["rows"], *data["measures"]]):
        cells = [
            next(
                (
                    outcome(row).split(" (")[0]
                    for row in data["rows"]
                    if row["package"] == name and wanted.items() <= row.items()
                ),
                "-",
            )
            for _, wanted in SHORT
        ]
        wrong = ", ".join(f"{kind} ({len(shown)})" for kind, shown in found[name].items())
        rows.append([name, *cells, wrong or "nothing seen"])
    head = ["", *(title for title, _ in SHORT), "wrong answers (how many)"]
    said = (
        f"Loss, time and memory of one call, and what was wrong in all calls, k, l and t of published tables (pycanon, `covey check`)"
        f" among them; not run: over {data['limit']:.0f} s with fewer records. `{data['command']}` on commit {data['commit']},"
        f" {versions(data)}:"
    )
    return f"{said}\n\n{table(head, rows)}"


def into_readme(text: str, data: Row) -> str:
    """A README with the short form between its markers."""
    before, rest = text.split(START)
    _, after = rest.split(STOP)
    return f"{before}{START}\n{short(data)}\n{STOP}{after}"


def write_readme() -> None:
    data = load("peers")
    if data is not None:
        README.write_text(into_readme(README.read_text(encoding="utf-8"), data), encoding="utf-8")


SECTIONS = {"peers": Section("Against the peers", peers)}
