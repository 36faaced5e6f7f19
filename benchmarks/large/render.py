"""Renders what benchmarks.large.run wrote."""

from __future__ import annotations

from benchmarks.harness.drawing import pyplot, save
from benchmarks.harness.rendering import Columns, Row, Section, grid

OWN: Columns = [
    ("table", "{kind}"),
    ("n", "{n:.0e}"),
    ("d", "{d}"),
    ("processor, s", "{own[processor]:.2f}"),
    ("clock, s", "{own[seconds]:.2f}"),
    ("MiB", "{own[mib]:.0f}"),
    ("loss", "{own[loss]:.1f}"),
]


def _ratio(what: str) -> Columns:
    def shown(row: Row) -> str:
        return "" if row["peer"] is None else f"{row['own'][what] / row['peer'][what]:.2f}"

    return [(f"{'clock' if what == 'seconds' else what}, times the peer's", shown)]


def _loss(row: Row) -> str:
    if row["peer"] is None:
        return ""
    own, other = row["own"]["loss"], row["peer"]["loss"]
    return "0, as the peer" if own == other == 0 else f"{100 * (own / other - 1):+.1f} %"


COMPARED: Columns = [*OWN, *_ratio("processor"), *_ratio("seconds"), ("loss against the peer's", _loss)]


def _said(data: Row) -> str:
    peer = (
        "No peer was there." if data["peer"] is None else f"The peer is Covey {data['peer']}; an empty cell: not asked."
    )
    return f"k = {data['k']}. {peer}"


def gaussian(data: Row) -> str:
    return f"{_said(data)}\n\n{grid(data['rows'], COMPARED)}"


def hard(data: Row) -> str:
    plain = {(row["n"], row["d"]): row["own"]["processor"] for row in data["rows"] if row["kind"] == "gaussian"}

    def times(row: Row) -> str:
        least = plain.get((row["n"], row["d"]), plain.get((row["n"], 5)))
        return "" if least is None else f"{row['own']['processor'] / least:.2f}"

    columns: Columns = [*COMPARED, ("times the Gaussian table of 5 columns", times)]
    return f"{_said(data)}\n\n{grid(data['rows'], columns)}"


def small(data: Row) -> str:
    held = [row for row in data["rows"] if row["peer"] is not None]
    worse = sum(row["own"]["loss"] > 1.001 * row["peer"]["loss"] for row in held)
    slower = sum(row["own"]["processor"] > 2 * row["peer"]["processor"] for row in held)
    columns: Columns = [
        ("table", "{kind}"),
        ("n", "{n}"),
        ("d", "{d}"),
        ("k", "{k}"),
        ("processor, ms", lambda row: f"{1e3 * row['own']['processor']:.1f}"),
        ("loss", "{own[loss]:.4g}"),
        *_ratio("processor"),
        ("loss against the peer's", _small_loss),
    ]
    words = f"Of {len(held)}, {worse} lose more than 0.1 % above the peer, {slower} take more than twice its time."
    return f"{_said(data | {'k': '3, 5, 10'})} {words}\n\n{grid(data['rows'], columns)}"


def _small_loss(row: Row) -> str:
    if row["peer"] is None:
        return ""
    own, other = row["own"]["loss"], row["peer"]["loss"]
    return "0, as the peer" if own == other == 0 else f"{100 * (own / other - 1):+.2f} %"


def growth(data: Row) -> str:
    columns: Columns = [
        *OWN,
        ("ns of the processor a record", lambda row: f"{1e9 * row['own']['processor'] / row['n']:.0f}"),
    ]
    return f"k = {data['k']}.\n\n{grid(data['rows'], columns)}\n\n![growth](figures/large-growth.svg)"


def draw_growth(data: Row) -> None:
    plt = pyplot()
    figure, axes = plt.subplots(figsize=(5, 3))
    sizes = [row["n"] for row in data["rows"]]
    axes.plot(sizes, [1e6 * row["own"]["processor"] / row["n"] for row in data["rows"]], "o-", label="processor")
    axes.plot(sizes, [1e6 * row["own"]["seconds"] / row["n"] for row in data["rows"]], "s--", label="clock")
    axes.set(xscale="log", ylim=(0, None), xlabel="records", ylabel="microseconds a record")
    axes.legend()
    axes.grid(alpha=0.3)
    save(figure, "large-growth.svg", metadata={"Date": None})


def search(data: Row) -> str:
    auto = {row["n"]: row["own"]["loss"] for row in data["rows"] if row["method"] == "auto"}
    columns: Columns = [
        ("method", "{method}"),
        *OWN,
        ("loss against auto's", lambda row: f"{100 * (row['own']['loss'] / auto[row['n']] - 1):+.1f} %"),
    ]
    return f"k = {data['k']}.\n\n{grid(data['rows'], columns)}"


SECTIONS = {
    "large-gaussian": Section("Grouping large tables: auto, Gaussian", gaussian),
    "large-slowest": Section("Grouping large tables: auto, a million records of ten columns", gaussian),
    "large-hard": Section("Grouping large tables: auto, other tables", hard),
    "large-small": Section("Grouping small tables: auto", small),
    "large-growth": Section("Grouping large tables: growth of auto", growth, draw_growth),
    "large-search": Section("Grouping large tables: search", search),
}
