"""A recipe of the contract through each of the three engines, and what is to be recorded of it."""

from __future__ import annotations

import csv
import datetime as dt
import hashlib
import string
import warnings
from collections import Counter
from typing import TYPE_CHECKING, Any

import pyarrow.parquet as pq
import pytest

import covey
from covey import spark as on_spark
from covey.errors import CoveyError
from covey.memory import SmallGroupsWarning
from tests.contract.tables import TABLES
from tests.files.tables import small

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pyarrow as pa

    from covey.recipe.recipe import Recipe
    from covey.report.certificate import Certificate
    from covey.utils.notes import Note
    from tests.contract.recipes import Case

Observed = dict[str, Any]
PIECE_ROWS = 60
ALPHABETS = {
    "0-9": string.digits,
    "0-9a-f": "0123456789abcdef",
    "letters and digits": string.ascii_letters + string.digits,
}


def memory(case: Case, folder: Path) -> Observed:
    """Released as a dataframe, or from a CSV file, and written."""
    done = covey.release(source(case, folder) if case.text else TABLES[case.table](), **case.recipe)
    target = folder / "out.csv"
    notes = [*done.report.notes, *done.write(target, ledger=False)]
    return observed(done.arrow, done.recipe, done.certificate, notes) | bytes_of(target)


def file(case: Case, folder: Path) -> Observed:
    """Released from file to file: to CSV for its bytes, and to Parquet for its types and values."""
    with pytest.MonkeyPatch.context() as patch:
        if case.pieces:
            small(patch, batch=PIECE_ROWS // 2, rows=PIECE_ROWS)
        given: Any = {"ledger": False, **case.recipe}
        done = covey.release_file(source(case, folder), folder / "out.csv", **given)
        typed = covey.release_file(source(case, folder), folder / "out.parquet", **given)
    notes = [*done.report.notes, *done.notes]
    table = pq.read_table(typed.path)
    return observed(table, done.recipe, done.certificate, notes) | bytes_of(folder / "out.csv")


def spark(case: Case, session: Any) -> Observed:
    """Released on a cluster."""
    given = TABLES[case.table]()
    frame = session.createDataFrame(given)
    for column in given.schema:
        if str(column.type) == "timestamp[us]":
            frame = frame.withColumn(column.name, frame[column.name].cast("timestamp_ntz"))
    pieces = {"piece_rows": max(PIECE_ROWS, 2 * case.recipe["k"])} if case.pieces else {}
    done = on_spark.release(frame, **pieces, **case.recipe)
    try:
        return observed(done.table.toArrow(), done.recipe, done.certificate, done.report.notes)
    finally:
        done.close()


def source(case: Case, folder: Path) -> Path:
    """The table of a recipe as a file."""
    table = TABLES[case.table]()
    path = folder / ("in.csv" if case.text else "in.parquet")
    if not case.text:
        pq.write_table(table, path)
        return path
    with path.open("w", newline="", encoding="utf-8") as out:
        writer = csv.writer(out)
        writer.writerow(table.column_names)
        writer.writerows([plain(value) for value in row.values()] for row in table.to_pylist())
    return path


def run(case: Case, engine: Callable[[Case, Any], Observed], place: Any) -> Observed:
    """What an engine makes of a recipe, or how it refuses."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SmallGroupsWarning)
            return engine(case, place)
    except CoveyError as error:
        return {"refused": type(error).__name__, "message": str(error)}


def observed(table: pa.Table, recipe: Recipe, certificate: Certificate, notes: list[Note]) -> Observed:
    """What is recorded of a release."""
    public = certificate.public
    ids = {name: form(table.column(name).to_pylist()) for name in recipe.roles.random_ids}
    asked = [
        {"column": one["column"], "asked": one["asked"], "worst_class": float(f"{one['worst_class']:.9g}")}
        for one in public["requirements"]
    ]
    return {
        "schema": {column.name: str(column.type) for column in table.schema},
        "rows": table.num_rows,
        "values": values_of(table, list(ids)),
        "ids": ids,
        "certificate": {name: public[name] for name in ("k_achieved", "classes", "class_sizes")}
        | {"requirements": asked},
        "notes": [note.text for note in notes],
    }


def bytes_of(path: Path) -> Observed:
    return {"bytes": hashlib.sha256(path.read_bytes()).hexdigest()}


def values_of(table: pa.Table, ids: list[str]) -> str:
    """A hash of the rows in any order, random ids aside."""
    rows = table.drop_columns(ids).to_pylist()
    lines = sorted("\t".join(f"{name}={plain(value)!r}" for name, value in row.items()) for row in rows)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def plain(value: Any) -> str:
    """A value as text that says all of it, the same for every engine."""
    if value is None:
        return ""
    if isinstance(value, dt.datetime) and value.tzinfo is not None:
        return value.astimezone(dt.UTC).isoformat()
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    return str(value)


def form(ids: list[str]) -> str:
    """The form of random ids: their lengths and alphabet, and how many rows share one."""
    lengths = sorted({len(one) for one in ids})
    alphabet = next((name for name, signs in ALPHABETS.items() if set("".join(ids)) <= set(signs)), "other signs")
    shared = sorted(set(Counter(ids).values()))
    return f"{lengths} of {alphabet}, each in {shared} rows"
