"""Renders the results of benchmarks/space.py."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from rendering import HERE, table, verdict


def loss(data: dict[str, Any]) -> str:
    rows = [
        [
            row["table"],
            str(row["k"]),
            row["method"],
            f"{row['median']:.4f}",
            f"{min(row['losses']):.4f} to {max(row['losses']):.4f}",
            f"{row['target']:g}",
            verdict(row["median"] <= row["target"]),
            f"{row['seconds']:.2f}",
            f"{100 * (1 - row['bound'] / row['median']):.0f} %",
        ]
        for row in data["rows"]
    ]
    header = [
        "table",
        "k",
        "method",
        "IL, median of 5 seeds",
        "from, to",
        "target",
        "held",
        "longest, s",
        "gap to k-NN bound",
    ]
    return "IL = 100 SSE/SST on z-scored columns.\n\n" + table(header, rows)


def mdav(data: dict[str, Any]) -> str:
    peer = [
        [f"{row['n']:.0e}", str(row["d"]), f"{row['seconds']:.3f}", f"{row['sdcmicro']:.2f}", f"{row['ratio']:.0f}"]
        for row in data["rows"]
    ]
    limits = [
        [
            f"{row['n']:.0e}",
            str(row["d"]),
            f"{row['seconds']:.2f}",
            f"{row['limit']:g}",
            verdict(row["seconds"] <= row["limit"]),
            "" if row["brute"] is None else f"{row['brute']:.0f}",
            "" if row["identical"] is None else verdict(row["identical"]),
        ]
        for row in data["limits"]
    ]
    note = f"sdcMicro's times were measured elsewhere and are scaled by np.sort, here a factor of {data['scale']:.2f}."
    first = table(["n", "d", "covey, s", "sdcMicro 5.8.1, scaled, s", "ratio"], peer)
    header = ["n", "d", "seconds", "at most", "held", "brute force, s", "identical to it"]
    return f"k = 5, Gaussian. {note}\n\n{first}\n\n{table(header, limits)}"


def large(data: dict[str, Any]) -> str:
    rows = [
        [
            f"{row['n']:.0e}",
            f"{row['seconds']:.1f}",
            f"{row['peak_mib']:.0f}",
            f"{row['loss']:.1f}",
            f"{row['mdav']:.1f}",
            verdict(row["seconds"] <= 300 and row["peak_mib"] <= 2048 and row["loss"] < row["mdav"]),
        ]
        for row in data["rows"]
    ]
    header = ["n", "seconds (at most 300)", "peak MiB of the process (at most 2048)", "loss", "loss of mdav", "held"]
    growth = (
        f"Time per record grows by {data['growth']:.2f} from 1e5 to 1e6 (at most 3: {verdict(data['growth'] <= 3)})."
    )
    return f"d = 5, k = 5, Gaussian.\n\n{table(header, rows)}\n\n{growth}"


def tables(data: dict[str, Any]) -> str:
    rows = [
        [
            row["table"],
            str(row["k"]),
            row["method"],
            f"{row['loss']:.4f}",
            "" if row["published"] is None else f"{row['published']:g}",
            "" if row["published"] is None else f"{100 * (row['loss'] / row['published'] - 1):+.1f} %",
            f"{1000 * row['seconds']:.0f}",
            verdict(row["loss"] <= 1.01 * row["published"]) if row["method"] == "repeated-ordering" else "",
        ]
        for row in data["rows"]
    ]
    iterations = [
        [
            row["table"],
            str(row["k"]),
            f"{row['iterations']:.2f}",
            f"{row['published_iterations']:g}",
            f"{row['milliseconds']:.2f}",
            f"{row['published_milliseconds']:g}",
            f"{row['total']:.1f}",
        ]
        for row in data["iterations"]
    ]
    first = table(["table", "k", "method", "IL", "published", "difference", "ms", "at most 1 % above"], rows)
    header = [
        "table",
        "k",
        "iterations a start",
        "published",
        "ms an iteration",
        "published (another machine)",
        "200 starts, s",
    ]
    return (
        "Table 2 of Mortazavi 2020 with all methods. repeated-ordering: 200 starts, without the time of k-means."
        f"\n\n{first}\n\nTable 3: RepOrdMic.\n\n{table(header, iterations)}"
    )


def figure(data: dict[str, Any]) -> str:
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    figure, both = plt.subplots(1, 2, figsize=(11, 4.5))
    for axes, name in zip(both, ("eia", "tarragona"), strict=True):
        series: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for row in data["rows"]:
            if row["table"] == name:
                series[row["method"]].append(row)
        for label, points in series.items():
            style = "-" if label in ("auto", "mdav") else "--"
            means, errors = [p["mean"] for p in points], [p["std"] for p in points]
            axes.errorbar([p["k"] for p in points], means, errors, fmt=style, label=label, capsize=2)
        axes.set(xscale="log", yscale="log", xlabel="minimum group size k", ylabel="SSE", title=name)
        axes.grid(alpha=0.3)
    both[0].legend(fontsize=7)
    figure.tight_layout()
    (HERE / "figures").mkdir(exist_ok=True)
    figure.savefig(HERE / "figures" / "figure-6.png", dpi=110)
    plt.close(figure)
    return (
        "Loss against k on EIA (10 columns) and Tarragona, z-scored: projections (random: mean and deviation of 10 runs), "
        "k-means with clean-up (3 runs), nearest neighbour, and MDAV and `auto` beside them.\n\n![Figure 6](figures/figure-6.png)"
    )


def bound(data: dict[str, Any]) -> str:
    rows = [
        [
            row["table"],
            f"{row['neighbours']:.4f}",
            f"{row['bound']:.4f}",
            f"{row['target']:g}",
            verdict(row["bound"] >= row["target"]),
            f"{row['seconds']:.1f}",
        ]
        for row in data["rows"]
    ]
    exact = [[str(r["n"]), str(r["k"]), f"{r['proven']} of {r['of']}", f"{r['slowest']:.1f}"] for r in data["exact"]]
    closed = data["closed"]
    first = table(["table", "k-NN bound, IL", "column generation, IL", "at least", "held", "seconds"], rows)
    second = table(["n", "k", "proven optimal", "slowest, s"], exact)
    text = f"Tarragona, k = 3, `exact` with {closed['seconds']} s: {closed['status']}, IL {closed['loss']:.4f}, bound {closed['bound']:.4f}."
    return f"k = 3.\n\n{first}\n\n{text}\n\nExact, Gaussian, d = 3:\n\n{second}"


def duplicates(data: dict[str, Any]) -> str:
    kinds = list(data["rows"][0]["ratios"])
    rows = [
        [
            f"{row['n']:.0e}",
            row["method"],
            f"{row['gaussian']:.3f}",
            *(f"{row['ratios'][kind]:.2f}" if kind in row["ratios"] else "" for kind in kinds),
            verdict(max(row["ratios"].values()) <= 2),
        ]
        for row in data["rows"]
    ]
    note = (
        f"k = {data['k']}, d = {data['d']}; processor time in times of that for the Gaussian table (at most 2). `release`: two columns, "
        f"nine tenths of each one value, with all measures. `repeated-ordering` from {data['starts']} starts."
    )
    return f"{note}\n\n{table(['n', 'what', 'Gaussian, s', *kinds, 'held'], rows)}"


SPACE = {
    "space-loss": ("Grouping in space: loss", loss),
    "space-mdav": ("Grouping in space: speed of MDAV", mdav),
    "space-large": ("Grouping in space: `auto` on large tables", large),
    "space-tables": ("Grouping in space: tables 2 and 3 of Mortazavi 2020", tables),
    "space-figure": ("Grouping in space: figure 6 of Stamm & Schaub drawn again", figure),
    "space-bound": ("Grouping in space: how far from the best", bound),
    "duplicates": ("Grouping in space: tables with many equal rows", duplicates),
}
