"""Figures of curves with error bars, drawn by matplotlib without a screen."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from benchmarks.harness.measure import FIGURES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from benchmarks.harness.rendering import Row


def pyplot(backend: str = "Agg") -> Any:
    """The module, with a backend that needs no screen."""
    import matplotlib as mpl

    mpl.use(backend)
    from matplotlib import pyplot as plt

    plt.rcParams["svg.hashsalt"] = "covey"  # the same names in every run
    return plt


def curves(
    axes: Any, rows: Iterable[Row], label: Callable[[Row], str], style: Callable[[str], str], **axis: str
) -> None:
    """Mean and deviation against k, a curve for each label, both axes logarithmic."""
    series: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        series[label(row)].append(row)
    for name, points in series.items():
        means, errors = [point["mean"] for point in points], [point["std"] for point in points]
        axes.errorbar([point["k"] for point in points], means, errors, fmt=style(name), label=name, capsize=2)
    axes.set(xscale="log", yscale="log", xlabel="minimum group size k", **axis)
    axes.grid(alpha=0.3)


def save(figure: Any, name: str, **options: Any) -> None:
    """Write a figure into the folder of figures."""
    from matplotlib import pyplot as plt

    figure.tight_layout()
    FIGURES.mkdir(exist_ok=True)
    figure.savefig(FIGURES / name, **options)
    plt.close(figure)
