"""
The risk-utility plane
======================

A larger k protects more and loses more. `covey.compare` makes a release for each setting, measures both, and marks the settings
that no other beats in both.
"""

# %%
import matplotlib.pyplot as plt

import covey

patients = covey.datasets.load_patients().head(1200)
compared = covey.compare(
    patients, ks=[3, 5, 10, 20], methods=["auto", "mdav"], quasi=["age", "visits", "charge"], drop_rest=True
)
print(compared.reason)

# %%
# Risk is the share of records that an attacker who holds the original values links to the right class; loss is the share of the variation that
# the released values no longer have.
plt.figure(figsize=(6.4, 4), layout="constrained")
for method, colour, marker in (("auto", "#0072b2", "o"), ("mdav", "#e69f00", "s")):
    settings = [one for one in compared.settings if one.method == method]
    plt.plot(
        [one.loss for one in settings], [100 * one.risk for one in settings], color=colour, marker=marker, label=method
    )
    for one in settings:
        plt.annotate(f"k = {one.k}", (one.loss, 100 * one.risk), xytext=(6, 4), textcoords="offset points", fontsize=8)
best = compared.recommended
plt.scatter(best.loss, 100 * best.risk, s=180, facecolor="none", edgecolor="#d55e00", label="recommended")
plt.xlabel("information loss, %")
plt.ylabel("record linkage, %")
plt.legend(frameon=False)
plt.show()

# %%
# The recommendation is a rule, not a judgement: the nearest to no loss and no risk. Which risk is low enough is for whoever answers
# for the release.
