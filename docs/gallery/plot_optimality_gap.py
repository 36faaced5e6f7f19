"""
The optimality gap
==================

In space the best groups are too many to try. Every solution says how far from the best it can be; more effort lowers the loss, and a
better bound raises what is proven.
"""

# %%
import matplotlib.pyplot as plt
import numpy as np

import covey

X = np.random.default_rng(3).normal(size=(120, 3))
k = 3

# %%
# Losses by methods of rising effort.
methods = [("mdav", {}), ("auto", {}), ("search", {"effort": 2000}), ("search", {"effort": 50_000})]
losses = [covey.solve(X, k, method=name, **options).loss for name, options in methods]

# %%
# Two bounds: one that every table can afford, by matching, and a tight one.
cheap = covey.space.lower_bound(X, k)
tight = covey.space.lower_bound(X, k, method="tight", time_limit=5)
gap = 1 - tight / min(losses)
print(f"gap of the best: {100 * (1 - cheap / min(losses)):.1f} % by matching, {100 * gap:.2f} % by the tight one")

# %%
names = ["mdav", "auto", "search,\n2 000 steps", "search,\n50 000 steps"]
plt.figure(figsize=(6.8, 3.4), layout="constrained")
plt.bar(names, losses, color=["#e69f00", "#56b4e9", "#0072b2", "#0072b2"], width=0.6)
plt.axhline(tight, color="#009e73", label="tight bound: nothing is below")
plt.axhline(cheap, color="#9aa0a6", linestyle="--", label="bound by matching")
plt.ylabel("sum of squares")
plt.ylim(0, 1.35 * max(losses))
plt.legend(frameon=False, loc="upper right")
plt.show()

# %%
# Thirty records are few enough for the proven optimum.
few = covey.solve(X[:30], k, method="exact", time_limit=10)
print(few.status, round(few.loss, 4), "auto:", round(covey.solve(X[:30], k).loss, 4))
