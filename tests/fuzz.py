"""Random tables, roles and recipes through the whole path: `make fuzz N=100000`.

Counts releases below k, rows lost and tracebacks; all must be 0. The count is done here once more, by a dictionary over the
file that was written. An error of Covey is a right answer; anything else that is raised, a warning included, is not.
"""

from __future__ import annotations

import csv
import datetime as dt
import decimal
import math
import random
import string
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

import covey
from covey.errors import CoveyError
from covey.io import read
from covey.release import SmallGroupsWarning
from covey.report.render import to_json

if TYPE_CHECKING:
    from collections.abc import Callable

FORMATS = ("csv", "csv", "tsv", "parquet", "arrow", "jsonl")


@dataclass
class Outcome:
    """What a run of the fuzzer counted."""

    tables: int = 0
    released: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    below_k: list[int] = field(default_factory=list)
    rows_lost: list[int] = field(default_factory=list)
    tracebacks: list[tuple[int, str]] = field(default_factory=list)

    @property
    def clean(self) -> bool:
        return not (self.below_k or self.rows_lost or self.tracebacks)

    def summary(self) -> str:
        refused = ", ".join(f"{name} {number}" for name, number in self.refused.most_common())
        return (
            f"{self.tables} tables: {self.released} released, refused: {refused or 'none'}; releases below k: {len(self.below_k)}, "
            f"rows lost: {len(self.rows_lost)}, tracebacks: {len(self.tracebacks)}"
        )


def column(rng: random.Random, n: int) -> list[Any]:
    """A column of any kind, nice or nasty."""
    kind = rng.randrange(16)
    few = rng.choice([1, 2, 3, 10])
    makers: list[Callable[[], Any]] = [
        lambda: rng.randrange(few),
        lambda: rng.randrange(-50, 50),
        lambda: rng.choice([2**53, 2**53 + 1, -(2**62), 2**62, 0]),
        lambda: rng.gauss(0, 1),
        lambda: rng.choice([0.0, -0.0, 1.5, 1e308, -1e308, 5e-324]),
        lambda: 1e9 + rng.random(),
        lambda: float(rng.randrange(few)),
        lambda: rng.random() < 0.5,
        lambda: dt.date(1850, 1, 1) + dt.timedelta(days=rng.randrange(100000)),
        lambda: dt.datetime(1899, 12, 31, 23) + dt.timedelta(minutes=rng.randrange(10**7)),
        lambda: dt.datetime(2020, 1, 1, tzinfo=dt.UTC) + dt.timedelta(hours=rng.randrange(5000)),
        lambda: decimal.Decimal(rng.randrange(-10000, 10000)).scaleb(-2),
        lambda: rng.choice("abcdefgh"[: max(1, few)]),
        lambda: rng.choice(
            ["=1+1", "+x", "-y", "@z", "plain", "with,comma", 'quo"te', "line\nbreak", "ü", " pad ", "", "NA"]
        ),
        lambda: "".join(rng.choices(string.ascii_letters, k=6)),
        lambda: rng.choice(["007", "7", "1,5", "1.5", "2020-01-01", "x"]),
    ]
    values: list[Any] = [makers[kind]() for _ in range(n)]
    if rng.random() < 0.25:
        share = rng.choice([0.05, 0.5, 1.0])
        values = [None if rng.random() < share else value for value in values]
    return values


def as_array(rng: random.Random, values: list[Any]) -> pa.Array:
    array = pa.array(values)
    if pa.types.is_decimal(array.type):
        return array.cast(pa.decimal128(12, 2))
    if pa.types.is_string(array.type) and rng.random() < 0.3:
        encoded = array.dictionary_encode()
        ordered = rng.random() < 0.5
        return pa.DictionaryArray.from_arrays(encoded.indices, encoded.dictionary, ordered=ordered)
    if pa.types.is_floating(array.type) and rng.random() < 0.2 and all(v is None or abs(v) < 1e30 for v in values):
        return array.cast(pa.float32())
    return array


def table(rng: random.Random) -> pa.Table:
    """A random table; the last columns, if they are there, can be a weight, a unit and a stratum."""
    n = rng.choice([0, 1, 2, 3, 5, 8, 13, 30, 30, 80, 80, 200, 200])
    names = [rng.choice(["a", "b b", "ç", "=x", "Total"]) + str(i) for i in range(rng.randrange(1, 7))]
    columns = {name: as_array(rng, column(rng, n)) for name in names}
    if rng.random() < 0.2:
        columns["weight"] = pa.array([rng.choice([1, 2, 0.5, 3.25]) for _ in range(n)], type=pa.float64())
    if rng.random() < 0.2:
        columns["unit"] = pa.array([f"u{rng.randrange(max(1, n // 2))}" for _ in range(n)], type=pa.string())
    if rng.random() < 0.3:
        columns["stratum"] = pa.array([rng.choice("xyzw"[: rng.choice([1, 2, 4])]) for _ in range(n)], type=pa.string())
    return pa.table(columns)


def choices(rng: random.Random, given: pa.Table) -> dict[str, Any]:
    """Random choices, some of which make no sense."""
    n = given.num_rows
    wanted: dict[str, Any] = {"k": rng.choice([2, 2, 3, 3, 5, 10, n, 1]) if n < 30 else rng.choice([2, 3, 5, 10, 15])}
    roles = ("quasi", "quasi", "quasi", "quasi", "sensitive", "keep", "drop", "strata", "random_ids")
    for number, name in enumerate(given.column_names):
        usual = {"weight": "weight", "unit": "unit", "stratum": "strata"}.get(name)
        role = usual or ("quasi" if number == 0 else rng.choice(roles))
        if rng.random() < 0.03:
            role = rng.choice(["unit", "weight"])
        if role in ("unit", "weight"):
            wanted[role] = name
        elif rng.random() < 0.98:
            wanted.setdefault(role, []).append(name)
    wanted["accept"] = wanted.get("sensitive", []) + wanted.get("keep", []) if rng.random() < 0.9 else []
    wanted["drop_rest"] = rng.random() < 0.9
    if rng.random() < 0.8:
        wanted["missing"] = rng.choice(["own-group", "coordinate"])
    if rng.random() < 0.8:
        wanted["small_strata"] = rng.choice(["merge", "suppress"])
    if rng.random() < 0.4:
        wanted["method"] = rng.choice(
            ["auto", "mdav", "vmdav", "split", "pca", "npn-mhm", "cbfs", "nearest-neighbour", "zscore"]
        )
    for name, known in (("scale", ["zscore", "range", "rank"]), ("categories", ["match", "frequency"])):
        if rng.random() < 0.3:
            wanted[name] = rng.choice(known)
    _add_column_choices(rng, given, wanted)
    quasi = wanted.get("quasi", [])
    if len(quasi) > 1 and rng.random() < 0.1:
        wanted["blocks"] = [quasi[:1], quasi[1:]]
        wanted["allow_blocks"] = rng.random() < 0.8
    if "weight" in wanted and rng.random() < 0.5:
        wanted["weights"] = rng.choice(["keep", "drop"])
    if "unit" in wanted and rng.random() < 0.1:
        wanted["random_ids"] = [*wanted.get("random_ids", []), wanted["unit"]]
    if "unit" in wanted or rng.random() < 0.2:
        wanted["shuffle"] = False
    if "sensitive" in wanted and rng.random() < 0.5:
        _add_requirements(rng, wanted)
    return wanted


def _add_requirements(rng: random.Random, wanted: dict[str, Any]) -> None:
    which = rng.randrange(5)
    if which < 3:
        wanted["l_diversity"] = rng.choice([2, 2, 3])
    if which == 1:
        wanted["diversity"] = "entropy"
    if which == 2:
        wanted |= {"diversity": "recursive", "recursive_c": rng.choice([1.5, 3.0])}
    if which == 3 or rng.random() < 0.2:
        wanted["t_closeness"] = rng.choice([0.1, 0.3, 0.6])
    if which == 4:
        wanted["spread"] = {rng.choice(wanted["sensitive"]): rng.choice([1, 1e-3, 1e3])}
    if rng.random() < 0.3:
        wanted["nominal"] = [*wanted.get("nominal", []), *wanted["sensitive"]]


def _add_column_choices(rng: random.Random, given: pa.Table, wanted: dict[str, Any]) -> None:
    quasi = wanted.get("quasi", [])
    numbers = [
        name
        for name in quasi
        if pa.types.is_integer(given.schema.field(name).type) or pa.types.is_floating(given.schema.field(name).type)
    ]
    extra: dict[str, Callable[[str], Any]] = {
        "aggregates": lambda c: {c: rng.choice(["mean", "median", "midrange", "min", "max", "mode", "trimmed-mean"])},
        "top": lambda c: {c: rng.choice([1, "90%", "50%", "2000-01-01"])},
        "bottom": lambda c: {c: rng.choice([0, "10%"])},
        "zeros_apart": lambda c: [c],
        "nominal": lambda c: [c],
        "edits": lambda c: [f"{c} >= 0"],
        "importance": lambda c: {c: rng.choice([0.5, 4])},
    }
    for name, make in extra.items():
        if rng.random() < 0.12 and (numbers or (quasi and rng.random() < 0.1)):
            wanted[name] = make(rng.choice(numbers or quasi))


def smallest(path: Path, kind: str, delimiter: str, recipe: covey.Recipe, units: list[Any] | None) -> tuple[int, int]:
    """The smallest class and the number of rows of a file, by a dictionary."""
    roles = recipe.roles
    weight = [roles.weight] if roles.weight and recipe.weights != "drop" else []
    names = [*roles.quasi, *roles.strata, *weight]
    if kind in ("csv", "tsv"):
        with path.open(newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file, delimiter="\t" if kind == "tsv" else delimiter))
        cells = [tuple(row.get(name, row.get(f"'{name}")) for name in names) for row in rows]
    else:
        plain = read(path).table
        cells = list(zip(*(map(canonical, plain.column(name).to_pylist()) for name in names), strict=True))
    if recipe.blocks and recipe.allow_blocks:
        parts = [[*block, *roles.strata] for block in recipe.blocks]
        joint = [[tuple(cell[names.index(n)] for n in part) for cell in cells] for part in parts]
    else:
        joint = [cells]
    least = min(_least(one, units) for one in joint) if cells else 0
    return least, len(cells)


def _least(cells: list[tuple[Any, ...]], units: list[Any] | None) -> int:
    if units is None:
        return min(Counter(cells).values())
    return min(Counter(cell for cell, _ in set(zip(cells, units, strict=True))).values())


def canonical(value: Any) -> Any:
    return None if isinstance(value, float) and math.isnan(value) else value


def one(seed: int, folder: Path, outcome: Outcome) -> None:
    rng = random.Random(seed)
    given = table(rng)
    wanted = choices(rng, given)
    kind = rng.choice(FORMATS)
    path = folder / f"{seed}.{kind}"
    outcome.tables += 1
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", SmallGroupsWarning)
            if rng.random() < 0.3 and given.num_rows:
                source = folder / f"{seed}-in.csv"
                write_csv(given, source, rng.choice([",", ";"]))
                done = covey.release(source, **wanted)
                source.unlink()
            else:
                measuring = covey.Measuring(sample=rng.choice([50, 5000])) if rng.random() < 0.2 else None
                done = covey.release(given, measuring=measuring, **wanted)
                to_json(done.report.public())
            done.write(path, ledger=False)
    except CoveyError as error:
        outcome.refused[type(error).__name__] += 1
        parted = (
            wanted.get("weights") == "keep" or "unit" in wanted
        )  # classes of the release are not those of the groups
        if "classes without" in str(error) and not parted:
            outcome.tracebacks.append((seed, f"groups and recount disagree: {error}"))
        if path.exists():
            outcome.tracebacks.append((seed, "refused, and the file is there"))
        return
    except Exception:  # noqa: BLE001
        outcome.tracebacks.append((seed, traceback.format_exc()))
        return
    finally:
        for left in folder.iterdir():
            if left != path:
                left.unlink()
    outcome.released += 1
    units = None
    if wanted.get("unit") and done.recipe.roles.unit:
        units = given.column(wanted["unit"]).to_pylist()
        if done.report.suppressed:
            path.unlink()
            return  # which rows are left is not known here
    least, rows = smallest(path, kind, done.dialect.get("delimiter", ","), done.recipe, units)
    if least < wanted["k"] or not diverse(done):
        outcome.below_k.append(seed)
    if rows + (done.report.suppressed or 0) != given.num_rows or rows != done.arrow.num_rows:
        outcome.rows_lost.append(seed)
    path.unlink()


def diverse(done: covey.Release) -> bool:
    """Whether every class has the different values that were asked for, by a dictionary."""
    recipe = done.recipe
    least = recipe.l_diversity
    if not isinstance(least, int | float) or recipe.diversity != "distinct":
        return True
    rows = done.arrow.to_pylist()
    for name in recipe.roles.sensitive:
        found: dict[tuple[Any, ...], set[Any]] = {}
        for row in rows:
            value = canonical(row[name])
            cell = found.setdefault(tuple(canonical(row[other]) for other in recipe.counted), set())
            cell |= set() if value in (None, "") else {value}
        if min(map(len, found.values()), default=0) < least:
            return False
    return True


def write_csv(given: pa.Table, path: Path, delimiter: str) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, delimiter=delimiter)
        writer.writerow(given.column_names)
        for row in given.to_pylist():
            writer.writerow(["" if value is None else value for value in row.values()])


def run(first: int, number: int, *, show: bool = False) -> Outcome:
    """Throw `number` tables."""
    outcome = Outcome()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(first, first + number):
            one(seed, Path(folder), outcome)
            if show and (seed - first) % 1000 == 999:
                print(f"{time.monotonic() - began:.0f} s: {outcome.summary()}", flush=True)
    return outcome


if __name__ == "__main__":
    found = run(int(sys.argv[2]) if len(sys.argv) > 2 else 0, int(sys.argv[1]), show=True)
    print(found.summary())
    for seed, text in found.tracebacks[:5]:
        print(f"seed {seed}:\n{text}")
    print("below k:", found.below_k[:20], "rows lost:", found.rows_lost[:20])
    sys.exit(0 if found.clean else 1)
