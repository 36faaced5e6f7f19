"""The picture of the first page: records as they were, their groups, and what is published."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np

import covey

K = 5
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00")  # told apart by the colour-blind


def groups() -> None:
    """Draw sixty patients twice: with lines to the mean of their group, and as the mean alone."""
    patients = covey.datasets.load_patients().query("charge < 3000").head(60)
    values = patients[["age", "charge"]].to_numpy(dtype=float)
    found = covey.partition((values - values.mean(axis=0)) / values.std(axis=0), K)
    _, (before, after) = plt.subplots(1, 2, figsize=(9, 3.6), sharex=True, sharey=True, layout="constrained")
    for number, members in enumerate(found.groups()):
        colour, own = COLOURS[number % len(COLOURS)], values[members]
        mean = own.mean(axis=0)
        for value in own:
            before.plot(*np.stack([value, mean]).T, color=colour, linewidth=0.8, alpha=0.7)
        before.scatter(*own.T, color=colour, s=22)
        after.scatter(*mean, color=colour, s=22 * len(own), alpha=0.85)
        after.annotate(str(len(own)), mean, ha="center", va="center", fontsize=8, color="white", fontweight="bold")
    before.set(title="60 records, in groups of similar ones", xlabel="age", ylabel="charge")
    after.set(title=f"what is published: at least {K} alike", xlabel="age")
    for axes in (before, after):
        axes.spines[["top", "right"]].set_visible(False)
