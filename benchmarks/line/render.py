"""Renders what benchmarks.line.run wrote."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from benchmarks.harness.drawing import curves, pyplot, save
from benchmarks.harness.rendering import Columns, Row, Section, grid, table, verdict

if TYPE_CHECKING:
    from collections.abc import Callable

SPEED: Columns = [
    ("data", "{kind}"),
    ("n", "{n:.0e}"),
    ("k", "{k}"),
    ("cost", "{cost}"),
    ("covey, ns a record", "{covey_ns:.1f}"),
    ("microagg1d, ns", "{peer_ns:.0f}"),
    ("ratio", "{ratio:.1f}"),
    ("target", "{target:.0f}"),
    ("held", lambda row: verdict(row["ratio"] >= row["target"])),
]
EXACT: Columns = [
    ("n", "{n:.0e}"),
    ("k", "{k}"),
    ("its mode", "{method}, stable={stable}"),
    ("covey, ns", "{covey_ns:.1f}"),
    ("microagg1d, ns", "{peer_ns:.0f}"),
    ("ratio", "{ratio:.1f}"),
    ("its excess loss", lambda row: f"{max(row['peer_excess'], 0):.1e}"),
    ("its smallest group", "{peer_smallest}"),
]
HARD: Columns = [
    ("data (n = 1e6)", "{kind}"),
    ("k", "{k}"),
    ("ns a record", "{ns:.1f}"),
    ("times uniform (at most 3)", "{slower:.2f}"),
    ("held", lambda row: verdict(row["slower"] <= 3)),
    ("spread of loss over searches", "{spread:.1e}"),
]
MEMORY: Columns = [
    ("cost", "{cost}"),
    ("k", "{k}"),
    ("peak extra bytes a record at n = 1e7 (at most 48)", "{bytes_per_record:.1f}"),
    ("held", lambda row: verdict(row["bytes_per_record"] <= 48)),
]
GROWTH: Columns = [
    ("k", "{k}"),
    ("n = 1e7, s", "{seconds_1e7:.3f}"),
    ("n = 1e8, s", "{seconds_1e8:.3f}"),
    ("growth (at most 15)", "{growth:.1f}"),
    ("held", lambda row: verdict(row["growth"] <= 15)),
]
STYLES = {"sort": "k--", "partial": "-.", "prefix": "--", "cheap": ":"}


def speed(data: Row) -> str:
    return grid(data["rows"], SPEED)


def exact(data: Row) -> str:
    return grid(data["rows"], EXACT)


def hard(data: Row) -> str:
    return grid(data["rows"], HARD)


def agree(data: Row) -> str:
    losses_of: dict[tuple[int, int, str], dict[str, float]] = defaultdict(dict)
    for row in data["rows"]:
        losses_of[row["n"], row["k"], row["cost"]][row["search"]] = row["loss"]
    rows = []
    for (n, k, cost), losses in losses_of.items():
        spread = (max(losses.values()) - min(losses.values())) / losses["auto"]
        rows.append([f"{n:.0e}", str(k), cost, repr(losses["auto"]), f"{spread:.1e}"])
    return table(["n", "k", "cost", "loss of auto", "largest relative difference among the searches"], rows)


def memory(data: Row) -> str:
    startup = f"`import covey` and a first small call in a new process: {data['startup_seconds']:.3f} s (target 0.3)."
    return f"{grid(data['rows'], MEMORY)}\n\n{startup}"


def growth(data: Row) -> str:
    return grid(data["rows"], GROWTH)


DRIFT: Columns = [
    ("column, k = 3", "{column}"),
    *((name, f"{{{name}:.1e}}") for name in ("pieces (exact)", "partial sums (paper)", "prefix sums", "cheap cost")),
]
KMEANS: Columns = [
    ("data", "{kind}"),
    ("n", "{n:.0e}"),
    ("at most m groups", "{m}"),
    ("covey, ms", lambda row: f"{1000 * row['covey']:.1f}"),
    ("kmeans1d, ms", lambda row: of_peer(row, lambda row: f"{1000 * row['kmeans1d']:.1f}")),
    ("ratio", lambda row: of_peer(row, lambda row: f"{row['kmeans1d'] / row['covey']:.1f}")),
    ("groups, its", lambda row: f"{row['groups']}" + of_peer(row, lambda row: f", {row['its_groups']}")),
    ("its excess loss", lambda row: of_peer(row, lambda row: f"{row['its_excess']:.1e}")),
]


def of_peer(row: Row, shown: Callable[[Row], str]) -> str:
    """What kmeans1d said, or nothing where it was not asked."""
    return "" if row["kmeans1d"] is None else shown(row)


def figures(data: Row) -> str:
    runs = f"; mean and deviation of {data['runs']} runs" if "runs" in data else ""
    return (
        f"Figure 4: run time of the searches on sorted uniform data, n = 1e6, the sort as a baseline{runs}. Figure 5: what exact sums cost beside the "
        "paper's inexact ones.\n\n![Figure 4](figures/figure-4.png)\n\n![Figure 5](figures/figure-5.png)\n\n"
        f"{times_of_sums(data)}"
    )


def sums(data: Row) -> str:
    """What inexact sums lose."""
    note = "By how much the loss is above the least: sums that start anew every k records (section 4.1 of the paper), sums over the whole column (7), the cheaper cost (8)."
    return f"{note}\n\n{grid(data['rows'], DRIFT)}"


def times_of_sums(data: Row) -> str:
    """Figure 5 in numbers: milliseconds of each way to sum."""
    means = {(row["search"], row["sums"], row["k"]): row["mean"] for row in data["figure_5"]}
    ks = sorted({k for _, _, k in means})
    series = dict.fromkeys((search, sums) for search, sums, _ in means)
    rows = [[*one, *(f"{1000 * means[(*one, k)]:.0f}" for k in ks)] for one in series]
    return table(["search", "sums, ms", *(f"k = {k}" for k in ks)], rows)


def kmeans(data: Row) -> str:
    note = f"`covey.partition(x, 1, max_groups=m)` beside kmeans1d {data['version']}, which cuts the sorted column into m groups, too; it is not asked where n m is above {data['most_cells']:.0e}."
    return f"{note}\n\n{grid(data['rows'], KMEANS)}"


def draw(data: Row) -> None:
    plt = pyplot()
    for number, title in ((4, "Searches"), (5, "Sums")):
        figure, axes = plt.subplots(figsize=(7, 4.5))
        rows = data[f"figure_{number}"]
        curves(axes, rows, name_of, style_of, ylabel="seconds", title=f"{title}, n = 1e6, SSE")
        axes.legend(fontsize=8)
        save(figure, f"figure-{number}.png", dpi=110)


def name_of(row: Row) -> str:
    return f"{row['search']}, {row['sums']}" if "sums" in row else str(row["search"])


def style_of(name: str) -> str:
    return next((style for part, style in STYLES.items() if part in name), "-")


SECTIONS = {
    "line-speed": Section("Grouping on a line: speed, sum of squares", speed),
    "line-costs": Section("Grouping on a line: speed, the other costs", speed),
    "line-exact": Section("Grouping on a line: against the exact modes of microagg1d (uniform)", exact),
    "line-hard": Section("Grouping on a line: hard data", hard),
    "line-agree": Section("Grouping on a line: all searches return the same total cost", agree),
    "line-memory": Section("Grouping on a line: memory and start", memory),
    "line-growth": Section("Grouping on a line: growth with n", growth),
    "line-figures": Section("Grouping on a line: figures 4 and 5 of the paper drawn again", figures, draw),
    "line-sums": Section("Grouping on a line: what the sums of the paper lose", sums),
    "line-kmeans": Section("Grouping on a line: k-means of one column, against kmeans1d", kmeans),
}
