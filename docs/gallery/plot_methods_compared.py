"""
Methods on one table
====================

The same records, k = 4, grouped by nine methods. A line ties each record to the mean of its group, which is what is published: long
lines are loss.
"""

# %%
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import LineCollection

import covey

rng = np.random.default_rng(5)
X = np.vstack(
    [rng.normal((0, 0), 0.6, (30, 2)), rng.normal((4, 2), 1.2, (30, 2)), rng.uniform((-2, -2), (7, 6), (20, 2))]
)
X = (X - X.mean(axis=0)) / X.std(axis=0)
total = (X**2).sum()

# %%
# From projections, which see one direction only, to methods that see all.
names = ["zscore", "split", "npn-mhm", "mdav", "vmdav", "cbfs", "tour", "nearest-neighbour", "auto"]
colours = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"]
figure, axes = plt.subplots(3, 3, figsize=(9, 8), layout="constrained")
for each, name in zip(axes.flat, names, strict=True):
    solution = covey.solve(X, 4, method=name)
    for number, group in enumerate(solution.partition.groups()):
        mean = X[group].mean(axis=0)
        colour = colours[number % len(colours)]
        each.add_collection(LineCollection([[x, mean] for x in X[group]], colors=colour, linewidths=0.9))
        each.scatter(*X[group].T, s=10, color=colour)
    each.set(title=f"{name}: {100 * solution.loss / total:.1f} %", xticks=[], yticks=[])
plt.show()

# %%
# The same as a table, with the share of the loss that is not proven necessary.
for name in names:
    solution = covey.solve(X, 4, method=name)
    print(
        f"{name:18s} {100 * solution.loss / total:5.1f} % lost, groups of {solution.partition.smallest} to {solution.partition.sizes.max()}, gap {100 * solution.gap:.0f} %"
    )
