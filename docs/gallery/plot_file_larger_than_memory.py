"""
A file larger than memory
=========================

The same release from file to file, in bounded memory: here a small file with little memory, so that it can be watched. A file of a hundred million
rows goes the same way.
"""

# %%
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import covey

scratch = tempfile.TemporaryDirectory()
folder = Path(scratch.name)
rng = np.random.default_rng(0)
rows = 40_000
table = pa.table(
    {
        "age": rng.integers(0, 95, rows),
        "income": rng.lognormal(7.6, 0.7, rows).round(2),
        "diagnosis": rng.choice(["flu", "gout", "cold", "asthma"], rows),
    }
)
pq.write_table(table, folder / "people.parquet")

# %%
# `memory` is how much may be taken. Pieces are split off, grouped one after the other, written under another name, recounted, and only then put in
# place.
steps = []
done = covey.release_file(
    folder / "people.parquet",
    folder / "released.parquet",
    k=5,
    quasi=["age", "income"],
    sensitive=["diagnosis"],
    memory="256MiB",
    progress=steps.append,
    ledger=False,
)
print(done)
print(*dict.fromkeys(step.split(":")[0] for step in steps), sep="\n")

# %%
# What the borders of pieces cost, beside the same release in memory.
in_memory = covey.release(table, k=5, quasi=["age", "income"], sensitive=["diagnosis"])
lost = [one.report.groups[0].loss_percent for one in (in_memory, done)]
plt.figure(figsize=(5, 2.4), layout="constrained")
plt.barh(["in memory", "in pieces"], lost, color=["#56b4e9", "#0072b2"], height=0.5)
plt.xlabel("variation lost, %")
plt.show()
scratch.cleanup()
