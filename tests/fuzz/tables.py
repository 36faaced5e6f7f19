"""Random tables, roles and choices for `tests/fuzz/run.py`, nice and nasty."""

from __future__ import annotations

import datetime as dt
import decimal
import string
import unicodedata
from typing import TYPE_CHECKING, Any

import pyarrow as pa

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

ROW = "row of the table"
"""A column that is kept, so that a count of what was written knows the unit of every row."""
CODED = {"code": [1, 2, 5, 9], "sex": [0, 1, 9], "zip": [1010, 4020, 8010, 9999], "answer": [0, 1, 99]}
MARKS = {"answer": ["99"], "sex": ["9"], "zip": ["9999"], "code": ["9", "."]}
"""Columns of codes, and those of them that stand for a missing value."""
BORN, LEFT = "born on", "left on"
FORMS = {BORN: "%d/%m/%Y", LEFT: "%m-%d-%Y"}
DECLARED = {BORN: "dd/mm/yyyy", LEFT: "mm-dd-yyyy"}
WAYS: tuple[Callable[[str], str], ...] = (
    lambda text: text,
    lambda text: f" {text}",
    lambda text: f"{text}  ",
    str.upper,
    str.title,
    lambda text: unicodedata.normalize("NFD", text),
    lambda text: f"0{text}" if text.isdigit() else text,
    lambda text: f"{text}.0" if text.isdigit() else text,
)


def spelled(rng: random.Random, names: list[str]) -> Callable[[], str]:
    """One of the names, in one of a few spellings."""
    ways = rng.sample(WAYS, rng.randrange(1, 4))
    return lambda: rng.choice(ways)(rng.choice(names))


def column(rng: random.Random, n: int) -> list[Any]:
    """A column of any kind, nice or nasty."""
    kind = rng.randrange(18)
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
        spelled(rng, ["hiv", "flu", "gicht", "grippe é"][: max(2, few)]),
        spelled(rng, ["7", "12", "0", "300"][: max(2, few)]),
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
    """A random table, which may have codes, dates that are written in some way, a weight, a unit and a stratum."""
    n = rng.choice([0, 1, 2, 3, 5, 8, 13, 30, 30, 80, 80, 200, 200])
    names = [rng.choice(["a", "b b", "ç", "=x", "Total"]) + str(i) for i in range(rng.randrange(1, 7))]
    columns = {name: as_array(rng, column(rng, n)) for name in names}
    if rng.random() < 0.2:
        name = rng.choice(list(CODED))
        columns[name] = pa.array([rng.choice(CODED[name]) for _ in range(n)], type=pa.int64())
    if rng.random() < 0.15:
        name = rng.choice(list(FORMS))
        columns[name] = pa.array([_date(rng).strftime(FORMS[name]) for _ in range(n)], type=pa.string())
    if rng.random() < 0.2:
        columns["weight"] = pa.array([rng.choice([1, 2, 0.5, 3.25]) for _ in range(n)], type=pa.float64())
    if rng.random() < 0.25:
        columns |= {"unit": units(rng, n), ROW: pa.array([f"r{place}" for place in range(n)], type=pa.string())}
    if rng.random() < 0.3:
        columns["stratum"] = pa.array([rng.choice("xyzw"[: rng.choice([1, 2, 4])]) for _ in range(n)], type=pa.string())
    return pa.table(columns)


def _date(rng: random.Random) -> dt.date:
    return dt.date(1950, 1, 1) + dt.timedelta(days=rng.randrange(20000))


def units(rng: random.Random, n: int) -> pa.Array:
    """Ids of units: names, numbers in several spellings, or numbers."""
    several = range(max(1, n // rng.choice([1, 2, 4])))
    kind = rng.randrange(4)
    if kind == 0:
        return pa.array([f"u{rng.choice(several)}" for _ in range(n)], type=pa.string())
    if kind == 1:
        return pa.array([float(rng.choice(several)) for _ in range(n)], type=pa.float64())
    way = spelled(rng, [f"haus é {at}" if kind == 2 else f"{at}" for at in several])
    return pa.array([way() for _ in range(n)], type=pa.string())


def choices(rng: random.Random, given: pa.Table) -> dict[str, Any]:
    """Random choices, some of which make no sense."""
    n = given.num_rows
    wanted: dict[str, Any] = {"k": rng.choice([2, 2, 3, 3, 5, 10, n, 1]) if n < 30 else rng.choice([2, 3, 5, 10, 15])}
    roles = ("quasi", "quasi", "quasi", "quasi", "sensitive", "keep", "drop", "strata", "random_ids")
    for number, name in enumerate(given.column_names):
        usual = {"weight": "weight", "unit": "unit", "stratum": "strata", ROW: "keep"}.get(name)
        role = usual or ("quasi" if number == 0 else rng.choice(roles))
        if rng.random() < 0.03 and name != ROW:
            role = rng.choice(["unit", "weight"])
        if role in ("unit", "weight"):
            wanted[role] = name
        elif rng.random() < 0.98 or name == ROW:
            wanted.setdefault(role, []).append(name)
    published = wanted.get("sensitive", []) + wanted.get("keep", [])
    wanted["accept"] = published if rng.random() < 0.9 else [name for name in published if name == ROW]
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
    if rng.random() < 0.2:
        wanted["shuffle"] = False
    if rng.random() < 0.15:
        wanted["suppress"] = rng.choice(["5%", "10%", "30%", wanted["k"], 2 * wanted["k"]])
        wanted["suppress_cells"] = rng.random() < 0.4
    _add_declarations(rng, given, wanted)
    if "sensitive" in wanted and rng.random() < 0.5:
        _add_requirements(rng, wanted)
    return wanted


def _add_declarations(rng: random.Random, given: pa.Table, wanted: dict[str, Any]) -> None:
    """What codes, marks of missing values and dates are; sometimes nothing, which is to be asked, and sometimes wrong."""
    quasi = wanted.get("quasi", [])
    declared = {*wanted.get("nominal", []), *wanted.get("ordinal", [])}
    whole = [name for name in quasi if name not in declared and _is_whole(given.schema.field(name).type)]
    for name in whole:
        how = rng.choice(
            ["number", "number", "number", "nominal", None] if name not in CODED else ["number", "nominal", None]
        )
        if how is not None:
            wanted[how] = [*wanted.get(how, []), name]
    looked_at = [name for role in ("quasi", "sensitive", "keep", "strata") for name in wanted.get(role, [])]
    for name in looked_at if rng.random() < 0.95 else given.column_names:
        if name in MARKS and rng.random() < 0.6:
            wanted.setdefault("missing_codes", {})[name] = MARKS[name]
        if name in DECLARED and rng.random() < 0.5:
            wanted.setdefault("dates", {})[name] = DECLARED[name]
    if rng.random() < 0.02:
        wanted.setdefault("dates", {})[rng.choice(given.column_names)] = "dd.mm.yyyy"


def _is_whole(kind: pa.DataType) -> bool:
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind))


def _add_requirements(rng: random.Random, wanted: dict[str, Any]) -> None:
    which = rng.randrange(6)
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
    if which == 5:
        wanted["alpha"] = rng.choice([0.34, 0.5, "1/2", 0.8])
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
