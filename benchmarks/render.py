"""Renders benchmarks/RESULTS.md, the figures and the comparison in the README from the JSON that the benchmarks wrote."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from render_diversity import DIVERSITY
from render_network import NETWORK
from render_network_large import NETWORK_LARGE
from render_peers import PEERS, write_readme
from render_release import RELEASE
from render_scale import SCALE
from render_space import SPACE
from render_spark import SPARK
from render_stream import STREAM
from render_web import WEB
from rendering import HERE, load, origin, table, verdict

INTRODUCTION = """# Results

Rendered by `benchmarks/render.py` from `benchmarks/results/*.json`; nothing here is written by hand. Times are wall
clock on a shared machine: trust ratios, not digits. `make bench` measures all of it again.
"""


def speed(data: dict[str, Any]) -> str:
    rows = [
        [
            row["kind"],
            f"{row['n']:.0e}",
            str(row["k"]),
            row["cost"],
            f"{row['covey_ns']:.1f}",
            f"{row['peer_ns']:.0f}",
            f"{row['ratio']:.1f}",
            f"{row['target']:.0f}",
            verdict(row["ratio"] >= row["target"]),
        ]
        for row in data["rows"]
    ]
    return table(["data", "n", "k", "cost", "covey, ns a record", "microagg1d, ns", "ratio", "target", "held"], rows)


def exact(data: dict[str, Any]) -> str:
    rows = [
        [
            f"{row['n']:.0e}",
            str(row["k"]),
            f"{row['method']}, stable={row['stable']}",
            f"{row['covey_ns']:.1f}",
            f"{row['peer_ns']:.0f}",
            f"{row['ratio']:.1f}",
            f"{max(row['peer_excess'], 0):.1e}",
            str(row["peer_smallest"]),
        ]
        for row in data["rows"]
    ]
    header = ["n", "k", "its mode", "covey, ns", "microagg1d, ns", "ratio", "its excess loss", "its smallest group"]
    return table(header, rows)


def hard(data: dict[str, Any]) -> str:
    rows = [
        [
            row["kind"],
            str(row["k"]),
            f"{row['ns']:.1f}",
            f"{row['slower']:.2f}",
            verdict(row["slower"] <= 3),
            f"{row['spread']:.1e}",
        ]
        for row in data["rows"]
    ]
    header = ["data (n = 1e6)", "k", "ns a record", "times uniform (at most 3)", "held", "spread of loss over searches"]
    return table(header, rows)


def agree(data: dict[str, Any]) -> str:
    groups: dict[tuple[int, int, str], dict[str, float]] = defaultdict(dict)
    for row in data["rows"]:
        groups[row["n"], row["k"], row["cost"]][row["search"]] = row["loss"]
    rows = [
        [
            f"{n:.0e}",
            str(k),
            cost,
            repr(losses["auto"]),
            f"{(max(losses.values()) - min(losses.values())) / losses['auto']:.1e}",
        ]
        for (n, k, cost), losses in groups.items()
    ]
    return table(["n", "k", "cost", "loss of auto", "largest relative difference among the searches"], rows)


def memory(data: dict[str, Any]) -> str:
    rows = [
        [row["cost"], str(row["k"]), f"{row['bytes_per_record']:.1f}", verdict(row["bytes_per_record"] <= 48)]
        for row in data["rows"]
    ]
    startup = f"`import covey` and a first small call in a new process: {data['startup_seconds']:.3f} s (target 0.3)."
    return table(["cost", "k", "peak extra bytes a record at n = 1e7 (at most 48)", "held"], rows) + f"\n\n{startup}"


def growth(data: dict[str, Any]) -> str:
    rows = [
        [
            str(row["k"]),
            f"{row['seconds_1e7']:.3f}",
            f"{row['seconds_1e8']:.3f}",
            f"{row['growth']:.1f}",
            verdict(row["growth"] <= 15),
        ]
        for row in data["rows"]
    ]
    return table(["k", "n = 1e7, s", "n = 1e8, s", "growth (at most 15)", "held"], rows)


def figures(data: dict[str, Any]) -> str:
    draw(data)
    return (
        "Figure 4: run time of the searches on sorted uniform data, n = 1e6, the sort as a baseline. Figure 5: what "
        "exact sums cost beside the paper's inexact ones.\n\n![Figure 4](figures/figure-4.png)\n\n"
        "![Figure 5](figures/figure-5.png)"
    )


def draw(data: dict[str, Any]) -> None:
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    def lines(rows: list[dict[str, Any]], label: Any, path: str, title: str) -> None:
        figure, axes = plt.subplots(figsize=(7, 4.5))
        series: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for row in rows:
            series[label(row)].append(row)
        for name, points in series.items():
            style = {"sort": "k--", "prefix": "--", "cheap": ":"}
            key = next((part for part in style if part in name), "")
            axes.errorbar(
                [p["k"] for p in points],
                [p["mean"] for p in points],
                [p["std"] for p in points],
                fmt=style.get(key, "-"),
                label=name,
                capsize=2,
            )
        axes.set(xscale="log", yscale="log", xlabel="minimum group size k", ylabel="seconds", title=title)
        axes.grid(alpha=0.3)
        axes.legend(fontsize=8)
        figure.tight_layout()
        figure.savefig(HERE / "figures" / path, dpi=110)
        plt.close(figure)

    (HERE / "figures").mkdir(exist_ok=True)
    lines(data["figure_4"], lambda row: row["search"], "figure-4.png", "Searches, n = 1e6, SSE")
    lines(data["figure_5"], lambda row: f"{row['search']}, {row['sums']}", "figure-5.png", "Sums, n = 1e6, SSE")


SECTIONS = {
    **PEERS,
    "line-speed": ("Grouping on a line: speed, sum of squares", speed),
    "line-costs": ("Grouping on a line: speed, the other costs", speed),
    "line-exact": ("Grouping on a line: against the exact modes of microagg1d (uniform)", exact),
    "line-hard": ("Grouping on a line: hard data", hard),
    "line-agree": ("Grouping on a line: all searches return the same total cost", agree),
    "line-memory": ("Grouping on a line: memory and start", memory),
    "line-growth": ("Grouping on a line: growth with n", growth),
    "line-figures": ("Grouping on a line: figures 4 and 5 of the paper drawn again", figures),
    **STREAM,
    **SPARK,
    **DIVERSITY,
    **SPACE,
    **RELEASE,
    **SCALE,
    **NETWORK,
    **NETWORK_LARGE,
    **WEB,
}


def main() -> None:
    parts = [INTRODUCTION]
    for name, (title, renderer) in SECTIONS.items():
        data = load(name)
        if data is not None:
            parts.append(f"## {title}\n\n{origin(data)}\n\n{renderer(data)}\n")
    (HERE / "RESULTS.md").write_text("\n".join(parts))
    write_readme()


if __name__ == "__main__":
    main()
