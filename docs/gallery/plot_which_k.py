"""
Which k
=======

How the loss grows with k, and what of it is proven to be needed. Where the curve is flat, a larger k is nearly free.
"""

# %%
import matplotlib.pyplot as plt
import numpy as np

import covey

patients = covey.datasets.load_patients()
X = patients[["age", "visits", "charge"]].to_numpy(dtype=float)
Z = (X - X.mean(axis=0)) / X.std(axis=0)
total = float((Z**2).sum())

# %%
# Three columns: groups by the default method, with the bound below which no grouping can be.
ks = [2, 3, 5, 7, 10, 15, 20, 30, 50]
solutions = [covey.solve(Z, k) for k in ks]
lost = [100 * solution.loss / total for solution in solutions]
least = [100 * solution.bound / total for solution in solutions]

# %%
# Age alone is grouped exactly, and loses hardly anything: each further quasi-identifier costs.
age = [100 * covey.solve(Z[:, 0], k).loss / float((Z[:, 0] ** 2).sum()) for k in ks]

plt.figure(figsize=(6.8, 3.6), layout="constrained")
plt.plot(ks, lost, color="#0072b2", marker="o", label="age, visits and charge")
plt.fill_between(ks, least, lost, color="#0072b2", alpha=0.15, label="not proven necessary")
plt.plot(ks, age, color="#d55e00", marker="s", label="age alone: optimal")
plt.xlabel("k")
plt.ylabel("variation lost, %")
plt.legend(frameon=False)
plt.show()

# %%
# An attacker who knows all three columns of a person finds a class of k: one in k is the best guess.
for k, share in zip(ks, lost, strict=True):
    print(f"k = {k:2d}: at best one in {k:2d} guesses is right, {share:4.1f} % of the variation lost")
assert np.all(np.diff(lost) > 0)
