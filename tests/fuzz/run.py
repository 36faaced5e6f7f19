"""Random tables, roles and recipes through the whole path: `make fuzz N=100000`.

Counts releases below k or l, certificates that say more, rows lost and tracebacks; all must be 0. The count (`tests/fuzz/count.py`) is a
dictionary over the file that was written, and reads units and sensitive values as coarsely as can be. An error of Covey is a right answer; anything else that is raised, a warning included, is not.
"""

from __future__ import annotations

import csv
import random
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import covey
from covey.errors import CoveyError
from covey.memory import SmallGroupsWarning
from covey.report.render import to_json
from tests.fuzz.count import Written, exactly, fails, reading, smallest
from tests.fuzz.tables import ROW, choices, table

if TYPE_CHECKING:
    from collections.abc import Callable

    import pyarrow as pa

    from covey.report.certificate import Certificate
    from covey.report.collect import Report

FORMATS = ("csv", "csv", "tsv", "parquet", "arrow", "jsonl")


class Made(NamedTuple):
    """A release that was written."""

    recipe: covey.Recipe
    certificate: Certificate
    report: Report
    delimiter: str


@dataclass
class Outcome:
    """What a run of the fuzzer counted."""

    tables: int = 0
    released: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    below_k: list[int] = field(default_factory=list)
    below_l: list[tuple[int, str]] = field(default_factory=list)
    """Releases with a class that does not hold what was asked of sensitive values, and what that was."""
    false: list[int] = field(default_factory=list)
    """Releases whose certificate says a larger k than is there."""
    rows_lost: list[int] = field(default_factory=list)
    tracebacks: list[tuple[int, str]] = field(default_factory=list)

    @property
    def clean(self) -> bool:
        return not (self.below_k or self.below_l or self.false or self.rows_lost or self.tracebacks)

    def summary(self) -> str:
        refused = ", ".join(f"{name} {number}" for name, number in self.refused.most_common())
        return (
            f"{self.tables} tables: {self.released} released, refused: {refused or 'none'}; releases below k: {len(self.below_k)}, "
            f"below l: {len(self.below_l)}, false certificates: {len(self.false)}, rows lost: {len(self.rows_lost)}, tracebacks: {len(self.tracebacks)}"
        )


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
            done = released(rng, given, wanted, path)
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
    check(seed, path, done, given, outcome)
    path.unlink()


def released(rng: random.Random, given: pa.Table, wanted: dict[str, Any], path: Path) -> Made:
    """A table released to a file: from memory, from a text file, or from file to file; and the delimiter of its text."""
    way = rng.choice(["table", "table", "text", "file"]) if given.num_rows else "table"
    delimiter = rng.choice([",", ";"])
    source = path.with_name(f"{path.stem}-in.csv")
    if way != "table":
        write_csv(given, source, delimiter)
    if way == "file" and path.suffix in (".csv", ".tsv", ".parquet"):
        done = covey.release_file(source, path, ledger=False, **wanted)
        return Made(done.recipe, done.certificate, done.report, delimiter)
    measuring = covey.Measuring(sample=rng.choice([50, 5000])) if rng.random() < 0.2 else None
    kept = covey.release(given if way == "table" else source, measuring=measuring, **wanted)
    to_json(kept.report.public())
    kept.write(path, ledger=False)
    return Made(kept.recipe, kept.certificate, kept.report, kept.dialect.get("delimiter", ","))


def check(seed: int, path: Path, done: Made, given: pa.Table, outcome: Outcome) -> None:
    """Count what was written."""
    recipe = done.recipe
    written = Written.of(path, path.suffix[1:], done.delimiter)
    units, spelled = (_units(written, given, recipe.roles.unit, read_as) for read_as in (reading, exactly))
    if recipe.roles.unit is None or units is not None:
        least = smallest(written, recipe, units)
        if least < recipe.k:
            outcome.below_k.append(seed)
        if not recipe.blocks and done.certificate.k > least:
            outcome.false.append(seed)
        orders = {one["column"]: one["order"] for one in done.certificate.public["requirements"]}
        failing = fails(written, recipe, units, orders, spelled)
        if failing:
            outcome.below_l.append((seed, failing))
    if written.rows + (done.report.suppressed or 0) != given.num_rows or written.rows != done.report.records_out:
        outcome.rows_lost.append(seed)


def _units(written: Written, given: pa.Table, unit: str | None, read_as: Callable[[Any], str]) -> list[str] | None:
    """The units of the rows that were written, by a reading of their ids; None where there are none, or no row tells."""
    if unit is None or ROW not in given.column_names:
        return None
    ids = map(read_as, given.column(unit).to_pylist())
    return written.units(dict(zip(given.column(ROW).to_pylist(), ids, strict=True)))


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
    print(
        "below k:",
        found.below_k[:20],
        "below l:",
        found.below_l[:20],
        "false:",
        found.false[:20],
        "rows lost:",
        found.rows_lost[:20],
    )
    sys.exit(0 if found.clean else 1)
