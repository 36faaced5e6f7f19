"""
Households that stay households
===============================

Who knows a household knows all of its members. Here a class is a whole household: at least three look the same in all of their rows.
The survey is simulated.
"""

# %%
# The table: one row a person. The head's household has a published id, so that others see who lives together.
import matplotlib.pyplot as plt

import covey

people = covey.datasets.load_households()
people[["household", "role", "age", "sex", "income"]].head(8)

# %%
# One call. The id links the rows, so that households are released as wholes. `income` has one value a household: that is found, and
# it is published once. What follows from the rows of a household is made again from what is released of them; a child stays
# younger than the head. Households of a composition that fewer than three have are left out, whole.
done = covey.release(
    people,
    k=3,
    quasi=["age", "sex", "income"],
    unit="household",
    random_ids=["household"],
    member_role="role",
    merge_roles={"parent": "other"},
    small_units="suppress",
    derive={"size": "count", "children": "count of child"},
    edits=["age of child < age of head"],
    sensitive=["illness"],
    drop_rest=True,
    measuring=covey.Measuring(),
)
print(done.certificate.public["promise"].split(". ")[0])
done.table.head(8)

# %%
# What the report says of units: the risk of the household at most risk, and what was lost between households and inside them.
for one in (*done.report.risk, *done.report.utility):
    if "unit" in one.label:
        print(f"{one.label}: {one.value:.3g}")

# %%
# Members are aligned, so that heads are averaged with heads and children with children. Were households flattened to the mean of their
# members, everybody would be of the same age.
figure, axes = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained", sharey=True)
for axis, table, title in ((axes[0], people, "original"), (axes[1], done.table, "released")):
    for role, colour in (("head", "#0072b2"), ("spouse", "#56b4e9"), ("child", "#e69f00")):
        axis.hist(table.age[table.role == role], bins=range(0, 91, 3), alpha=0.7, color=colour, label=role)
    axis.set(title=title, xlabel="age")
axes[0].set_ylabel("persons")
axes[0].legend(frameon=False)
plt.show()

# %%
# The age of the youngest child beside that of the head: differences inside a household stay.
figure, axes = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained", sharey=True)
for axis, table, title in ((axes[0], people, "original"), (axes[1], done.table, "released")):
    heads = table[table.role == "head"].set_index("household").age
    youngest = table[table.role == "child"].groupby("household").age.min()
    axis.scatter(heads.reindex(youngest.index), youngest, s=8, alpha=0.5, color="#0072b2")
    axis.set(title=title, xlabel="age of the head")
axes[0].set_ylabel("age of the youngest child")
plt.show()
