"""Households and panels: what is lost by rows torn apart, units flattened and units as units; and time and memory for many.

usage: python -m benchmarks.units.run [--only SECTION ...]
Writes benchmarks/results/units-SECTION.json; `make bench` runs all of it.
"""

from __future__ import annotations

import json
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

import covey
from benchmarks.harness.measure import in_new_process
from benchmarks.harness.sections import run_sections
from benchmarks.units.limit import least_loss
from covey.columns.cells import counts, rows_of_cells
from covey.columns.compositions import columns_of_units, compositions
from covey.columns.coordinates import Scaler
from covey.columns.values import read_values
from covey.core.partition import Partition
from covey.protect.group import losses_of, percent_of
from covey.space.auto import Auto
from covey.units.vectors import UnitVectors

if TYPE_CHECKING:
    from covey.utils.typing import Codes

COLUMNS = (
    ("age", "income"),
    ("age", "sex", "income"),
    ("age", "sex", "income", "earnings"),
    ("age", "sex", "income", "area", "roof", "walls"),
)
MOST_OF_FLATTENED = 0.15
MANY = 6000
MOST_BOUNDED = 10_000
"""Rows of tables whose bound is looked for: the linear programs grow with the square of the households."""
MOST_SECONDS, MOST_GIB = 60.0, 2.0


def many_households() -> pa.Table:
    """6,000 households, six times as dense as `load_households`: heads, partners of about their age, and children."""
    rng = np.random.default_rng(1)
    size = np.minimum(1 + rng.negative_binomial(4, 4 / 7.6, MANY), 12)
    home = np.repeat(np.arange(MANY), size)
    place = np.arange(len(home)) - np.repeat(np.cumsum(size) - size, size)
    head = np.clip(rng.normal(46, 14, MANY), 22, 85)[home]
    age = np.where(
        place == 0,
        head,
        np.where(place == 1, head + rng.normal(-2, 4, len(home)), head - rng.uniform(20, 40, len(home))),
    )
    columns = {
        "household": home,
        "role": np.array(["head", "spouse", "child"])[np.minimum(place, 2)],
        "age": np.maximum(0, np.round(age)).astype(np.int64),
        "sex": rng.choice(["female", "male"], len(home)),
        "income": np.round(np.exp(rng.normal(9.3, 0.6, MANY)), -1)[home],
    }
    return pa.table(columns)


def codes(table: pa.Table, name: str) -> Codes:
    return read_values(name, table.column(name), nominal=True).physical


def common_rows(table: pa.Table, k: int, *, roles: bool) -> pa.Table:
    """The rows of households whose composition at least k have: all three ways can release them."""
    unit = codes(table, "household")
    kinds = codes(table, "role") if roles else np.zeros(len(unit), dtype=np.int64)
    composition = compositions(kinds, unit)
    return table.take(pa.array(np.flatnonzero((counts(composition, unit) >= k)[composition])))


def flattened_percent(table: pa.Table, quasi: list[str], k: int, *, roles: bool) -> float:
    """What is lost, in % of the variation, where every member of a household gets the mean over all members of its group."""
    columns = [read_values(name, table.column(name)) for name in quasi]
    points = Scaler.of(covey.Recipe(k=k, roles=covey.Roles(quasi=tuple(quasi))), columns)(columns)
    unit = codes(table, "household")
    kinds = codes(table, "role") if roles else np.zeros(len(unit), dtype=np.int64)
    labels, used = np.empty(len(unit), dtype=np.int64), 0
    nothing = np.zeros(points.shape[1], dtype=bool)
    for rows in rows_of_cells(compositions(kinds, unit)):
        vectors = UnitVectors.of(rows, unit, kinds, points, nothing)
        groups = Auto().partition(vectors.flattened, k).labels
        labels[vectors.rows] = used + groups[:, None]
        used += int(groups.max()) + 1
    return percent_of(points, float(losses_of(points, Partition(labels)).sum()))


def bound_percent(table: pa.Table, quasi: list[str], k: int, *, roles: bool) -> float:
    """No grouping of whole units of one composition loses less, in % of the variation."""
    columns = {name: read_values(name, table.column(name)) for name in quasi}
    scaler = Scaler.of(covey.Recipe(k=k, roles=covey.Roles(quasi=tuple(quasi))), list(columns.values()))
    points, unit = scaler(list(columns.values())), codes(table, "household")
    kinds = codes(table, "role") if roles else np.zeros(len(unit), dtype=np.int64)
    common = columns_of_units(columns, unit, ())
    is_common = np.concatenate(
        [np.full(place.width, name in common) for name, place in zip(quasi, scaler.places, strict=True)]
    )
    least = [
        least_loss(UnitVectors.of(rows, unit, kinds, points, is_common), k)
        for rows in rows_of_cells(compositions(kinds, unit))
    ]
    return percent_of(points, sum(least))


def compared(name: str, table: pa.Table, quasi: list[str], k: int, *, roles: bool) -> dict[str, Any]:
    some = common_rows(table, k, roles=roles)
    choices: dict[str, Any] = {"quasi": quasi, "unit": "household", "drop_rest": True, "ledger": False}
    places: dict[str, Any] = {"member_role": "role"} if roles else {}
    torn = covey.release(some, k, **choices)
    units = covey.release(some, k, random_ids=["household"], **choices, **places)
    row = {
        "survey": name,
        "columns": quasi,
        "roles": roles,
        "k": k,
        "rows": some.num_rows,
        "of": table.num_rows,
        "torn": torn.report.groups[0].loss_percent,
        "flattened": flattened_percent(some, quasi, k, roles=roles),
        "units": units.report.groups[0].loss_percent,
        "bound": bound_percent(some, quasi, k, roles=roles) if table.num_rows <= MOST_BOUNDED else None,
        "household_columns": len(
            columns_of_units({n: read_values(n, some.column(n)) for n in quasi}, codes(some, "household"), ())
        ),
    }
    print(row, flush=True)
    return row


def loss() -> dict[str, Any]:
    surveys = {"load_households()": covey.datasets.load_households("pyarrow"), "6,000 households": many_households()}
    rows = [
        compared(name, table, list(quasi), k, roles=roles)
        for name, table in surveys.items()
        for quasi in COLUMNS
        if {*quasi} <= {*table.column_names}
        for roles in (False, True)
        for k in (3, 5)
    ]
    return {"rows": rows, "most": MOST_OF_FLATTENED}


HOUSEHOLDS = """
size = rng.integers(1, 9, 100_000)
unit = np.repeat(np.arange(len(size)), size)
of_unit = {f"h{c}": rng.normal(size=len(size))[unit].round(3) for c in range(4)}
table = pa.table({"unit": unit} | of_unit | {f"m{c}": rng.normal(size=len(unit)).round(3) for c in range(4)})
more = {}
"""
PANELS = """
unit, wave = np.repeat(np.arange(20_000), 24), np.tile(np.arange(24), 20_000)
level = rng.normal(size=(20_000, 3))
values = level[unit] + 0.3 * rng.normal(size=(len(unit), 3))
table = pa.table({"unit": unit, "wave": wave} | {f"m{c}": values[:, c].round(3) for c in range(3)})
more = {"time": "wave"}
"""
CODE = """
import json, resource, time
import numpy as np, pyarrow as pa
import covey
rng = np.random.default_rng(1)
MAKE
quasi = [name for name in table.column_names if name not in ("unit", "wave")]
start, cpu = time.perf_counter(), time.process_time()
done = covey.release(table, 3, quasi=quasi, unit="unit", random_ids=["unit"], ledger=False, **more)
print(json.dumps({
    "seconds": time.perf_counter() - start, "cpu_seconds": time.process_time() - cpu,
    "gib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20,
    "rows": table.num_rows, "columns": len(quasi), "k": done.certificate.k, "loss": done.report.groups[0].loss_percent,
}))
"""


def speed() -> dict[str, Any]:
    rows = []
    for name, make in (("100,000 households of 1 to 8", HOUSEHOLDS), ("20,000 panels of 24 waves", PANELS)):
        row = {"what": name} | json.loads(in_new_process(CODE.replace("MAKE", make)))
        print(row, flush=True)
        rows.append(row)
    return {"rows": rows, "most_seconds": MOST_SECONDS, "most_gib": MOST_GIB}


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    run_sections("units", {"loss": loss, "speed": speed}, __doc__)
