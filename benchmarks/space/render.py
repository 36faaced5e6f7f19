"""Renders what benchmarks.space.run wrote."""

from __future__ import annotations

from benchmarks.harness.drawing import curves, pyplot, save
from benchmarks.harness.rendering import Columns, Row, Section, grid, table, verdict
from benchmarks.space.published import LITERATURE, Published

LOSS: Columns = [
    ("table", "{table}"),
    ("k", "{k}"),
    ("method", "{method}"),
    ("IL, median of 5 seeds", "{median:.4f}"),
    ("from, to", lambda row: f"{min(row['losses']):.4f} to {max(row['losses']):.4f}"),
    ("target", "{target:g}"),
    ("held", lambda row: verdict(row["median"] <= row["target"])),
    ("longest, s", "{seconds:.2f}"),
    ("gap to k-NN bound", lambda row: f"{100 * (1 - row['bound'] / row['median']):.0f} %"),
]
COSTS: Columns = [
    ("table", "{table}"),
    ("k", "{k}"),
    ("cost", "{cost}"),
    ("groups for means", "{means:.1f}"),
    ("`auto` for this cost", "{auto:.1f}"),
    ("difference", lambda row: f"{100 * (row['auto'] / row['means'] - 1):+.1f} %"),
    ("`search`", "{search:.1f}"),
    ("difference", lambda row: f"{100 * (row['search'] / row['means'] - 1):+.1f} %"),
    ("lower than for means", lambda row: verdict(max(row["auto"], row["search"]) < row["means"])),
]
MDAV: Columns = [
    ("n", "{n:.0e}"),
    ("d", "{d}"),
    ("covey, s", "{seconds:.3f}"),
    ("sdcMicro 5.8.1, scaled, s", "{sdcmicro:.2f}"),
    ("ratio", "{ratio:.0f}"),
]
MDAV_LIMITS: Columns = [
    ("n", "{n:.0e}"),
    ("d", "{d}"),
    ("seconds", "{seconds:.2f}"),
    ("at most", "{limit:g}"),
    ("held", lambda row: verdict(row["seconds"] <= row["limit"])),
    ("brute force, s", lambda row: "" if row["brute"] is None else f"{row['brute']:.0f}"),
    ("identical to it", lambda row: "" if row["identical"] is None else verdict(row["identical"])),
]
TABLE_2: Columns = [
    ("table", "{table}"),
    ("k", "{k}"),
    ("method", "{method}"),
    ("IL", "{loss:.4f}"),
    ("published", lambda row: "" if row["published"] is None else f"{row['published']:g}"),
    (
        "difference",
        lambda row: "" if row["published"] is None else f"{100 * (row['loss'] / row['published'] - 1):+.1f} %",
    ),
    ("CPU, ms", lambda row: f"{1000 * row['seconds']:.0f}"),
    ("at most 1 % above", lambda row: near(row) if row["method"] == "repeated-ordering" else ""),
]
TABLE_3: Columns = [
    ("table", "{table}"),
    ("k", "{k}"),
    ("iterations a start", "{iterations:.2f}"),
    ("published", "{published_iterations:g}"),
    ("CPU, ms an iteration", "{milliseconds:.2f}"),
    ("published (another machine)", "{published_milliseconds:g}"),
    ("200 starts, CPU, s", "{total:.1f}"),
]
LARGE: Columns = [
    ("n", "{n:.0e}"),
    ("seconds (at most 300)", "{seconds:.1f}"),
    ("peak MiB of the process (at most 2048)", "{peak_mib:.0f}"),
    ("loss", "{loss:.1f}"),
    ("loss of mdav", "{mdav:.1f}"),
    ("held", lambda row: verdict(row["seconds"] <= 300 and row["peak_mib"] <= 2048 and row["loss"] < row["mdav"])),
]
BOUND: Columns = [
    ("table", "{table}"),
    ("k-NN bound, IL", "{neighbours:.4f}"),
    ("column generation, IL", "{bound:.4f}"),
    ("at least", "{target:g}"),
    ("held", lambda row: verdict(row["bound"] >= row["target"])),
    ("seconds", "{seconds:.1f}"),
]
EXACT: Columns = [
    ("n", "{n}"),
    ("k", "{k}"),
    ("proven optimal", "{proven} of {of}"),
    ("slowest, s", "{slowest:.1f}"),
]


def near(row: Row) -> str:
    return verdict(row["loss"] <= 1.01 * row["published"])


def loss(data: Row) -> str:
    return "IL = 100 SSE/SST on z-scored columns.\n\n" + grid(data["rows"], LOSS)


def costs(data: Row) -> str:
    note = "Medians (sae), maxima (roundup) and minima (rounddown) of every column: sums of distances in standard deviations."
    return f"{note} `auto` and `search` for the cost beside `auto` for means, all by that cost; no bound is known.\n\n{grid(data['rows'], COSTS)}"


def mdav(data: Row) -> str:
    note = f"sdcMicro's times were measured elsewhere and are scaled by np.sort, here a factor of {data['scale']:.2f}."
    return f"k = 5, Gaussian. {note}\n\n{grid(data['rows'], MDAV)}\n\n{grid(data['limits'], MDAV_LIMITS)}"


def large(data: Row) -> str:
    growth = (
        f"Time per record grows by {data['growth']:.2f} from 1e5 to 1e6 (at most 3: {verdict(data['growth'] <= 3)})."
    )
    return f"d = 5, k = 5, Gaussian.\n\n{grid(data['rows'], LARGE)}\n\n{growth}"


def tables(data: Row) -> str:
    return (
        "Table 2 of Mortazavi 2020 with all methods. repeated-ordering: 200 starts, without the time of k-means."
        f"\n\n{grid(data['rows'], TABLE_2)}\n\nTable 3: RepOrdMic.\n\n{grid(data['iterations'], TABLE_3)}"
    )


NONE = "-"
LITERATURE_NOTE = """Loss in percent of the total, z-scored columns: measured here / printed in the source; a dash where there is none. Rows without a method of ours are algorithms
that are not offered here. Values of column-generation papers (Aloise et al. 2014; Castro et al. 2022) and of Thaeter & Reischuk 2021 could not be read, so no
value is called the best known. `imhm` has one block for every 1100 records; `search` one seed at its default effort. Losses do not depend on the load
of the machine."""
SIMULATED_NOTE = """Loss in percent of the total, z-scored columns: the mean of 200 tables measured here ± the standard error of a mean of 25 / a mean of 25 as it is printed.

Sim-1: 100 records, 10 columns, uniform. Sim-2 and Sim-3: five clusters of 20 records in 4 to 8 columns, centres uniform on [0, 1] and [0, 2], each cluster
Gaussian with a deviation of its own, drawn from 0.1 to 0.3 for Sim-2. For Sim-3 the source does not say whether deviations grow along with the distances: from 0.2
to 0.6 they are near what is printed, from 0.1 to 0.3 they are not, and both are shown. `search` takes 2,000 steps."""


def literature(data: Row) -> str:
    return one_by_one(LITERATURE_NOTE, data)


def simulated(data: Row) -> str:
    return f"{one_by_one(SIMULATED_NOTE, data)}\n\n{apart(data)}"


def apart(data: Row) -> str:
    """How far means measured here are from those that are printed, for each kind of table."""
    farthest: dict[str, float] = {}
    for row in data["rows"]:
        for published in LITERATURE:
            if published.table == row["table"].split(",")[0] and published.ours == row["method"]:
                errors = abs(row["loss"] - published.losses[row["k"]]) / row["error"]
                farthest[row["table"]] = max(errors, farthest.get(row["table"], 0.0))
    return f"Standard errors between here and print, at most: {', '.join(f'{errors:.1f} ({name})' for name, errors in farthest.items())}."


def one_by_one(note: str, data: Row) -> str:
    """One table of the literature after another: a row for every algorithm, a column for every k."""
    parts = [note]
    for name in dict.fromkeys(row["table"] for row in data["rows"]):
        measured: dict[str, dict[int, str]] = {}
        for row in data["rows"]:
            if row["table"] == name:
                error = f" ± {row['error']:.2f}" if "error" in row else ""
                measured.setdefault(row["method"], {})[row["k"]] = f"{row['loss']:.4f}{error}"
        printed = [published for published in LITERATURE if published.table == name.split(",")[0]]
        with_values = {published.ours for published in printed}
        printed += [Published("", "", name, {}, method) for method in measured if method not in with_values]
        parts.append(f"**{name.capitalize()}**\n\n{beside(printed, measured)}")
    return "\n\n".join(parts)


def beside(printed: list[Published], measured: dict[str, dict[int, str]]) -> str:
    ks = sorted({k for losses in measured.values() for k in losses})

    def cell(published: Published, k: int) -> str:
        ours = measured.get(published.ours or "", {}).get(k, NONE)
        both = (ours, f"{published.losses[k]:g}" if k in published.losses else NONE)
        return "" if both == (NONE, NONE) else " / ".join(both)

    rows = [[p.ours or NONE, p.algorithm, p.source, *(cell(p, k) for k in ks)] for p in printed]
    return table(["method", "algorithm", "source", *(f"k = {k}" for k in ks)], rows)


def figure(data: Row) -> str:
    return (
        f"Loss against k on EIA (10 columns) and Tarragona, z-scored: mean and deviation of {data['runs']} runs of the random projections and of "
        "k-means with clean-up, as in the paper; nearest neighbour, which has no randomness here; and MDAV and `auto` beside them.\n\n![Figure 6](figures/figure-6.png)"
    )


def draw(data: Row) -> None:
    picture, both = pyplot().subplots(1, 2, figsize=(11, 4.5))
    for axes, name in zip(both, ("eia", "tarragona"), strict=True):
        rows = [row for row in data["rows"] if row["table"] == name]
        curves(axes, rows, lambda row: str(row["method"]), style_of, ylabel="SSE", title=name)
    both[0].legend(fontsize=7)
    save(picture, "figure-6.png", dpi=110)


def style_of(method: str) -> str:
    return "-" if method in ("auto", "mdav") else "--"


def bound(data: Row) -> str:
    closed = data["closed"]
    text = f"Tarragona, k = 3, `exact` with {closed['seconds']} s: {closed['status']}, IL {closed['loss']:.4f}, bound {closed['bound']:.4f}."
    return f"k = 3.\n\n{grid(data['rows'], BOUND)}\n\n{text}\n\nExact, Gaussian, d = 3:\n\n{grid(data['exact'], EXACT)}"


SECTIONS = {
    "space-loss": Section("Grouping in space: loss", loss),
    "space-costs": Section("Grouping in space: medians, maxima and minima", costs),
    "space-mdav": Section("Grouping in space: speed of MDAV", mdav),
    "space-large": Section("Grouping in space: `auto` on large tables", large),
    "space-tables": Section("Grouping in space: tables 2 and 3 of Mortazavi 2020", tables),
    "space-literature": Section("Grouping in space: what the literature prints, beside every method", literature),
    "space-simulated": Section("Grouping in space: simulated tables of the literature", simulated),
    "space-figure": Section("Grouping in space: figure 6 of Stamm & Schaub drawn again", figure, draw),
    "space-bound": Section("Grouping in space: how far from the best", bound),
}
