"""
A first release
===============

From a table of hospital stays to one that may be published: every record becomes one of at least five that share age, sex
and charge. The stays are simulated.
"""

# %%
# The table. `patient` is an identifier and is left out; age, sex and charge are what somebody may know of a person; the diagnosis
# is what must not be learned about one.
import matplotlib.pyplot as plt

import covey

patients = covey.datasets.load_patients()
patients.head()

# %%
# One call. Every column needs a role: `drop_rest` says that all others are not published.
done = covey.release(patients, k=5, quasi=["age", "sex", "charge"], sensitive=["diagnosis"], drop_rest=True)
done.table.head()

# %%
# What was promised was counted again on the released values, by code that shares nothing with the grouping.
print(done.certificate.k, "records or more in each of", done.report.classes, "classes")
print(done.report.promise)

# %%
# What is lost: `charge` has a long tail, and far records share a group with others that are far.
figure, axes = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained", sharey=True)
for each, table, title, colour in (
    (axes[0], patients, "original", "#e69f00"),
    (axes[1], done.table, "released", "#0072b2"),
):
    each.scatter(table["age"], table["charge"], s=6, alpha=0.5, color=colour)
    each.set(title=title, xlabel="age", yscale="log")
axes[0].set_ylabel("charge")
plt.show()

# %%
# How large the classes are.
sizes = done.report.class_sizes
plt.figure(figsize=(6, 2.6), layout="constrained")
plt.bar([str(size) for size in sizes], list(sizes.values()), color="#0072b2")
plt.xlabel("records in a class")
plt.ylabel("classes")
plt.show()
