"""Tables in Arrow and JSON Lines, which cannot be read again in small parts, rewritten once as Parquet in a file without a name."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from covey.errors import InputError
from covey.io.columnar import json_objects
from covey.io.inference import Found, TextColumn
from covey.io.inputs import guarded
from covey.io.together import common_schema, in_schema
from covey.utils.arrow import DataType, Schema, Table, ipc, is_text, pa, parquet

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from covey.io.inputs import InputFile, Inputs
    from covey.utils.typing import Progress

REWRITTEN = ("arrow", "jsonl")
ROWS = 2**16
"""Rows that are rewritten at a time."""


@dataclass(frozen=True)
class Rewritten:
    """The same files as Parquet, and what was noticed of text in them that holds dates or times."""

    inputs: Inputs
    noticed: Found = field(default_factory=Found)
    times: dict[str, TextColumn] = field(default_factory=dict)
    """Columns of text that are dates or times, to be read as such."""


def rewritten(inputs: Inputs, copy: Path, step: Progress) -> Rewritten:
    """The files of a table as Parquet, one behind the other in the file `copy`."""
    if inputs.format == "arrow":
        schemas = [guarded(file.name, lambda file=file: _arrow_schema(file), "arrow") for file in inputs.files]  # type: ignore[misc]
        schema = common_schema(inputs, schemas)
        return Rewritten(_written(inputs, copy, schema, _arrow_tables, step))
    look = _Objects()
    for file in inputs.files:
        guarded(file.name, lambda file=file: look.add(json_objects(file, json.loads), step), "jsonl")  # type: ignore[misc]
    schema = look.schema()

    def tables(file: InputFile) -> Iterator[Table]:
        return _object_tables(file, schema, look.noticed.mixed)

    return Rewritten(_written(inputs, copy, schema, tables, step), look.noticed, look.times)


def _written(
    inputs: Inputs, copy: Path, schema: Schema, tables: Callable[[InputFile], Iterable[Table]], step: Progress
) -> Inputs:
    """Write all files in one schema, and say where each of them lies."""
    files, rows = [], 0
    for file in inputs.files:
        with copy.open("ab") as place:
            start = place.tell()
            with parquet.ParquetWriter(pa.PythonFile(place, mode="w"), schema, compression="zstd") as writer:
                for table in tables(file):
                    writer.write_table(in_schema(table, schema))
                    rows += len(table)
                    step(f"copying the table: {rows:,} rows".replace(",", " "))
            files.append(replace(file, path=copy, compression=None, piece=(start, place.tell() - start)))
    return replace(inputs, format="parquet", files=files)


def _arrow_schema(file: InputFile) -> Schema:
    with ipc.open_file(file.raw()) as reader:
        return pa.schema([entry.remove_metadata() for entry in reader.schema])


def _arrow_tables(file: InputFile) -> Iterator[Table]:
    """The rows of an Arrow file, at most so many at a time."""
    with ipc.open_file(file.raw()) as reader:
        for number in range(reader.num_record_batches):
            batch = guarded(file.name, lambda number=number: reader.get_batch(number), "arrow")  # type: ignore[misc]
            for start in range(0, batch.num_rows, ROWS):
                yield pa.Table.from_batches([batch.slice(start, ROWS)]).replace_schema_metadata(None)


class _Objects:
    """What JSON objects hold: for each name values that tell the type of all, and whether its text holds dates or times."""

    def __init__(self) -> None:
        self.telling: dict[str, dict[object, Any]] = {}
        self.texts: dict[str, TextColumn] = {}
        self.times: dict[str, TextColumn] = {}
        self.noticed = Found()

    def add(self, objects: Iterable[dict[str, Any]], step: Progress) -> None:
        """Look at the objects of a file."""
        rows = 0
        for some in _batches(objects):
            columns = defaultdict[str, list[Any]](list)
            for record in some:
                for name, value in record.items():
                    columns[name].append(value)
            for name, values in columns.items():
                self._look(name, values)
            rows += len(some)
            step(f"looking at the types of columns: {rows:,} rows".replace(",", " "))

    def _look(self, name: str, values: list[Any]) -> None:
        telling = self.telling.setdefault(name, {})
        kinds = set(map(type, values))
        if kinds & {list, dict}:
            msg = f"column {name!r} holds lists or objects; needed, for a release in parts: one value in each cell; take them out, or release in memory"
            raise InputError(msg)
        if int in kinds:
            numbers = [value for value in values if type(value) is int]
            telling["least"] = min([telling.get("least", numbers[0]), *numbers])
            telling["greatest"] = max([telling.get("greatest", numbers[0]), *numbers])
        for kind in kinds - {int, type(None)}:
            telling[kind] = next(value for value in values if type(value) is kind)
        if str in kinds:
            text = self.texts.setdefault(name, TextColumn(name, comma=False, decimal=None))
            text.look(pa.array([value for value in values if type(value) is str], pa.string()))

    def schema(self) -> Schema:
        """The types of all columns, as they are where all values are there at once."""
        return pa.schema([(name, self._type(name, list(telling.values()))) for name, telling in self.telling.items()])

    def _type(self, name: str, values: list[Any]) -> DataType:
        try:
            kind = pa.array(values).type
        except OverflowError:
            self.noticed.mixed[name] = "some have more digits than an integer holds"
            return pa.string()
        except pa.ArrowException:
            msg = f"column {name!r} mixes types that cannot be one column; needed: one type; correct it first"
            raise InputError(msg) from None
        if is_text(kind):
            self._decide(name, self.texts[name])
        return kind

    def _decide(self, name: str, text: TextColumn) -> None:
        """Whether text is dates or times: see `find_times`."""
        noticed = Found()
        text.decide(noticed)
        if pa.types.is_temporal(text.typed(pa.array([], pa.string())).type):
            self.noticed.notes += noticed.notes
            self.times[name] = text
        elif noticed.unclear_dates:
            self.noticed.mixed[name] = noticed.mixed[name]


def _object_tables(file: InputFile, schema: Schema, as_text: Mapping[str, str]) -> Iterator[Table]:
    """The objects of a file in the types of all."""
    for some in _batches(json_objects(file, json.loads)):
        columns = []
        for entry in schema:
            values = [record.get(entry.name) for record in some]
            if entry.name in as_text:
                values = [None if value is None else str(value) for value in values]
            columns.append(pa.array(values, entry.type))
        yield pa.table(columns, schema=schema)


def _batches(objects: Iterable[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """So many objects at a time."""
    remaining = iter(objects)
    while some := list(islice(remaining, ROWS)):
        yield some
