"""
Checking somebody else's table
==============================

Any published table can be counted: how many records share the columns that somebody may know, and how diverse their sensitive values are. Here a
table whose ages were only rounded to decades.
"""

# %%
import matplotlib.pyplot as plt
import numpy as np

import covey
from covey import privacy

patients = covey.datasets.load_patients("pandas")
published = patients[["sex", "region", "diagnosis"]].assign(age=patients["age"] // 10 * 10)

# %%
# `verify` refuses a table that falls short, and says how many rows are below k.
import pyarrow as pa

try:
    covey.verify(pa.Table.from_pandas(published), ["age", "sex", "region"], 5)
except covey.CoveyError as error:
    print(error)

# %%
# How large are the classes? Rounding leaves the old and the rare alone.
classes = published.groupby(["age", "sex", "region"], observed=True).ngroup().to_numpy()
sizes = np.bincount(classes)
plt.figure(figsize=(6.6, 3), layout="constrained")
counts = np.bincount(np.minimum(sizes, 40))
plt.bar(range(len(counts)), counts, color=["#d55e00" if size < 5 else "#0072b2" for size in range(len(counts))])
plt.xlabel("records in a class (40: or more); red: fewer than 5")
plt.ylabel("classes")
plt.show()

# %%
# Diversity and closeness of the diagnosis.
values = np.unique(published["diagnosis"], return_inverse=True)[1]
found = privacy.count(classes, values)
print("distinct l:", privacy.distinct_l(found), " t:", round(privacy.t_closeness_equal(found), 2))

# %%
# The same columns, microaggregated: every class has five, and age keeps its detail where there are many.
done = covey.release(patients, k=5, quasi=["age", "sex", "region"], sensitive=["diagnosis"], drop_rest=True)
covey.verify(pa.Table.from_pandas(done.table), ["age", "sex", "region"], 5)
print(len(published["age"].unique()), "different ages rounded,", len(done.table["age"].unique()), "microaggregated")
