"""Tables made to be miscounted: one unit or one sensitive value in several spellings, and columns at the edges of their types.

And a count that shares nothing with Covey: dictionaries over the text that was written. Classes are told apart by any difference
of the text; units and sensitive values by the coarsest reading, as a number, without case, surrounding blanks and leading zeros,
in one Unicode normal form.
"""

from __future__ import annotations

import csv
import datetime as dt
import math
import zoneinfo
from collections import defaultdict
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import xlsxwriter

from tests.coarse import coarse

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

K = 2
UNITS = 12
ROW = "row"
COMPOSED, DECOMPOSED = "caf\u00e9", "cafe\u0301"

SPELLINGS: dict[str, tuple[Callable[[int], str], ...]] = {
    "point-zero": (lambda i: f"{i}", lambda i: f"{i}.0"),
    "leading-zeros": (lambda i: f"{i}", lambda i: f"0{i}"),
    "three-ways": (lambda i: f"{i}", lambda i: f"{i}.0", lambda i: f"{i:03d}"),
    "signed-zero": (lambda i: f"{i}", lambda i: "-0.0" if i == 0 else f"{i}.00"),
    "case": (lambda i: f"Home {i}", lambda i: f"HOME {i}"),
    "blanks": (lambda i: f"home {i}", lambda i: f" home {i}  "),
    "normal-form": (lambda i: f"{COMPOSED} {i}", lambda i: f"{DECOMPOSED} {i}"),
    "text-ways": (lambda i: f"{COMPOSED} {i}", lambda i: f" {DECOMPOSED.upper()} {i} "),
    "seventeen-digits": (lambda i: f"{10**16 + 7 * i + 1}", lambda i: f"0{10**16 + 7 * i + 1}.0"),
}
"""How one unit, or one sensitive value, is written in the rows that have it."""


class Asked(NamedTuple):
    """A table and what is asked of its release."""

    columns: dict[str, list[Any]]
    choices: dict[str, Any]


def spelled(name: str, role: str) -> Asked:
    """Rows that are near each other have one unit, or one sensitive value, in different spellings."""
    ways = SPELLINGS[name]
    numbers = [unit for unit in range(UNITS) for _ in ways]
    written = [way(unit) for unit in range(UNITS) for way in ways]
    columns: dict[str, list[Any]] = {
        ROW: [f"r{place:03d}" for place in range(len(written))],
        "amount": [1000.0 + 10 * number + place / 8 for place, number in enumerate(numbers)],
        "told": written,
    }
    choices: dict[str, Any] = {"quasi": ["amount"], "keep": [ROW], "accept": [ROW]}
    if role == "unit":
        return Asked(columns, choices | {"unit": "told"})
    return Asked(
        columns, choices | {"sensitive": ["told"], "nominal": ["told"], "accept": [ROW, "told"], "l_diversity": 2}
    )


def edges() -> dict[str, Asked]:
    """Quasi-identifiers at the edges of their types."""
    rows = range(24)
    berlin = zoneinfo.ZoneInfo("Europe/Berlin")
    autumn = dt.datetime(2024, 10, 27, 0, 0, tzinfo=dt.UTC)
    hours = [(autumn + dt.timedelta(minutes=7 * place)).astimezone(berlin) for place in rows]
    columns: dict[str, tuple[list[Any], dict[str, Any]]] = {
        "zeros": ([(0.0, -0.0, 1.5)[place % 3] for place in rows], {}),
        "nothing": ([(None, float("nan"), 2.5, 3.5)[place % 4] for place in rows], {"missing": "own-group"}),
        "decimals": ([Decimal(place * 37 % 19).scaleb(-2) for place in rows], {}),
        "late-digits": ([10**16 + 3 * place + 1 for place in rows], {}),
        "floats-of-17-digits": ([1 / (place + 3) for place in rows], {}),
        "hour-that-occurs-twice": (hours, {}),
        "blank-categories": ([("north", "north ", "North", "")[place % 4] for place in rows], {"missing": "own-group"}),
        "normal-forms": ([(COMPOSED, DECOMPOSED)[place % 2] for place in rows], {}),
    }
    return {
        name: Asked(
            {ROW: [f"r{place:03d}" for place in rows], "told": values},
            {"quasi": ["told"], "keep": [ROW], "accept": [ROW], **more},
        )
        for name, (values, more) in columns.items()
    }


def hostile() -> dict[str, Asked]:
    """All of them."""
    found = {f"{role} {name}": spelled(name, role) for role in ("unit", "sensitive") for name in SPELLINGS}
    return found | {f"quasi {name}": asked for name, asked in edges().items()}


# -- as dataframes and files


def as_pandas(columns: Mapping[str, list[Any]], _folder: Path) -> Any:
    frame = pd.DataFrame(dict(columns))
    if all(isinstance(value, str) for value in columns["told"]):
        used = sorted(set(columns["told"]))
        frame["told"] = pd.Categorical(columns["told"], categories=[*used, "a category that no row has"])
    return frame


def as_polars(columns: Mapping[str, list[Any]], _folder: Path) -> Any:
    frame = pl.DataFrame(dict(columns), strict=False)
    if all(isinstance(value, str) for value in columns["told"]):
        used = sorted(set(columns["told"]))
        return frame.with_columns(pl.col("told").cast(pl.Enum([*used, "a category that no row has"])))
    return frame


def as_pyarrow(columns: Mapping[str, list[Any]], _folder: Path) -> Any:
    return pa.table(dict(columns))


def as_csv(columns: Mapping[str, list[Any]], folder: Path) -> Path:
    path = folder / "in.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows([as_text(value) for value in row] for row in zip(*columns.values(), strict=True))
    return path


def as_parquet(columns: Mapping[str, list[Any]], folder: Path) -> Path:
    pq.write_table(as_pyarrow(columns, folder), folder / "in.parquet")
    return folder / "in.parquet"


def as_xlsx(columns: Mapping[str, list[Any]], folder: Path) -> Path:
    """Numbers as numbers, which a sheet holds as floats; moments without their zone."""
    book = xlsxwriter.Workbook(str(folder / "in.xlsx"), {"remove_timezone": True})
    sheet, moment = book.add_worksheet(), book.add_format({"num_format": "yyyy-mm-dd hh:mm:ss"})
    for at, (name, values) in enumerate(columns.items()):
        sheet.write_string(0, at, name)
        for place, value in enumerate(values, start=1):
            if isinstance(value, str):
                sheet.write_string(place, at, value)
            elif isinstance(value, dt.datetime):
                sheet.write_datetime(place, at, value, moment)
            elif not is_missing(value):
                sheet.write_number(place, at, float(value))
    book.close()
    return folder / "in.xlsx"


KINDS: dict[str, Callable[[Mapping[str, list[Any]], Path], Any]] = {
    "pandas": as_pandas,
    "polars": as_polars,
    "pyarrow": as_pyarrow,
    "csv": as_csv,
    "parquet": as_parquet,
    "xlsx": as_xlsx,
}


def is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))


def as_text(value: Any) -> str:
    return "" if is_missing(value) else str(value)


# -- the count


class Counted(NamedTuple):
    """What a dictionary finds in a written file."""

    units: int
    different: int
    records: int


def count(path: Path, asked: Asked) -> Counted:
    """The fewest records, units and sensitive values of a class, by what was written."""
    with path.open(newline="", encoding="utf-8") as file:
        written = list(csv.DictReader(file))
    told = {row: as_text(value) for row, value in zip(asked.columns[ROW], asked.columns["told"], strict=True)}
    classes: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for row in written:
        classes[tuple(row[name] for name in asked.choices["quasi"])].append(coarse(told[row[ROW]]))
    return Counted(
        units=min(len(set(values)) for values in classes.values()),
        different=min(len(set(values) - {""}) for values in classes.values()),
        records=min(map(len, classes.values())),
    )


def shortfall(path: Path, asked: Asked, certified: int, reached: Sequence[float]) -> str:
    """What the certificate claims and the count does not find; nothing where they agree."""
    found = count(path, asked)
    if "unit" in asked.choices and not K <= certified == found.units:
        return f"certified {certified} units, counted {found.units}"
    if "unit" not in asked.choices and not K <= certified == found.records:
        return f"certified {certified} records, counted {found.records}"
    if "l_diversity" in asked.choices and not asked.choices["l_diversity"] <= reached[0] == found.different:
        return f"certified {reached[0]:g} values, counted {found.different}"
    return ""
