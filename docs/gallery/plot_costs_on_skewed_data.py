"""
Costs on skewed data
====================

Money has a long tail. The same column, k = 5, grouped for each of the five costs: what is published differs, and so does who is
in a group.
"""

# %%
import matplotlib.pyplot as plt
import numpy as np

import covey
from covey.costs import COSTS

income = np.sort(np.random.default_rng(7).lognormal(7.5, 1.0, 400).round(-1))
colours = dict(zip(COSTS, ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00"), strict=True))

# %%
# Each cost, its groups, and the value that each group publishes.
released = {}
for name, cost in COSTS.items():
    partition = covey.partition(income, 5, cost=name)
    released[name] = np.empty(len(income))
    for group in partition.groups():
        released[name][group] = cost.representative(income[group])

# %%
# The upper tail: rounding up overstates, rounding down understates, the mean follows the largest value and the median does not.
figure, axes = plt.subplots(figsize=(7, 3.8), layout="constrained")
axes.plot(range(360, 400), income[360:], color="#9aa0a6", linewidth=6, alpha=0.5, label="original")
for name, values in released.items():
    axes.step(range(360, 400), values[360:], where="mid", color=colours[name], label=name)
axes.set(xlabel="rank of the record", ylabel="income")
axes.legend(frameon=False)
plt.show()

# %%
# What each does to the total and to the typical record. `sse` keeps the total.
for name, values in released.items():
    moved = np.median(np.abs(values - income))
    print(
        f"{name:9s} total {100 * (values.sum() / income.sum() - 1):+6.2f} %, half of the records moved by at most {moved:.0f}"
    )
