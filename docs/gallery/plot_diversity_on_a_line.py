"""
l-diversity on a line
=====================

Ages with a diagnosis each. k-anonymity alone may put three cases of the same disease into one group. Clusters in which all diagnoses
differ are found exactly.
"""

# %%
import matplotlib.pyplot as plt
import numpy as np

import covey

rng = np.random.default_rng(2)
age = np.sort(rng.normal(50, 15, 36).round(1))
rank = np.argsort(np.argsort(age + rng.normal(0, 20, 36)))  # diseases follow age, loosely
diagnosis = np.array(["flu", "cold", "gout"])[rank // 12]

# %%
# Optimal groups of three by age alone, and clusters of at least two different diagnoses, none of them twice.
alone = covey.solve(age, 3)
diverse = covey.line.diverse(age, diagnosis, l=2, objective="sse")
print(f"k = 3: {alone.loss:.1f}; different diagnoses: {diverse.loss:.1f}, {diverse.status}")

# %%
# Each cluster has a line of its own. Red: all of a group share one diagnosis, which k-anonymity does not prevent.
shades = {"flu": "#0072b2", "gout": "#e69f00", "cold": "#009e73"}
figure, axes = plt.subplots(1, 2, figsize=(9, 4.2), layout="constrained", sharex=True)
for each, partition, title in (
    (axes[0], alone.partition, "groups of three"),
    (axes[1], diverse.partition, "different diagnoses"),
):
    for row, group in enumerate(sorted(partition.groups(), key=lambda group: age[group].min())):
        same = len(set(diagnosis[group])) == 1
        each.plot(
            [age[group].min(), age[group].max()],
            [row, row],
            color="#d55e00" if same else "#9aa0a6",
            linewidth=2 if same else 1,
        )
        for person in group:
            each.scatter(age[person], row, s=24, color=shades[diagnosis[person]], zorder=2)
    each.set(title=title, xlabel="age", yticks=[])
axes[0].set_ylabel("groups, by age")
handles = [
    plt.Line2D([], [], marker="o", linestyle="none", color=colour, label=name) for name, colour in shades.items()
]
figure.legend(handles=handles, loc="outside lower center", ncols=3, frameon=False)
plt.show()

# %%
# In a release, `l_diversity` asks for different values in every class and lets values repeat, which costs less.
patients = covey.datasets.load_patients()
done = covey.release(patients, k=5, quasi=["age"], sensitive="diagnosis", l_diversity=3, drop_rest=True)
print(done.report.requirements[0].asked, "reached:", done.report.requirements[0].worst_class)
