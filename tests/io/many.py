"""Tables in many files, written by others than us."""

from __future__ import annotations

import gzip
import io
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

REGIONS = ["North", "S/W", "O'st 1=2", "Zürich", "x%y"]


def people(n: int = 300, seed: int = 0) -> pd.DataFrame:
    """People of several regions and years, in the order of both."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "age": rng.integers(18, 90, n),
            "income": rng.lognormal(8, 1, n).round(2),
            "illness": rng.choice(["flu", "gout", "none"], n),
            "region": rng.choice(REGIONS, n),
            "year": rng.choice([2020, 2021, 2022], n),
        }
    )
    return frame.sort_values(["region", "year"], kind="stable").reset_index(drop=True)


def csv(frame: pd.DataFrame, sep: str = ",", **more: Any) -> bytes:
    return str(frame.to_csv(index=False, sep=sep, **more)).encode()


def parquet(frame: pd.DataFrame) -> bytes:
    file = io.BytesIO()
    pq.write_table(pa.Table.from_pandas(frame, preserve_index=False), file)
    return file.getvalue()


def arrow(frame: pd.DataFrame) -> bytes:
    sink = pa.BufferOutputStream()
    table = pa.Table.from_pandas(frame, preserve_index=False)
    with pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue())


def lines(frame: pd.DataFrame) -> bytes:
    return str(frame.to_json(orient="records", lines=True)).encode()


def zstd(data: bytes) -> bytes:
    """Two frames, as programs that append write them."""
    half = len(data) // 2
    return b"".join(bytes(pa.Codec("zstd").compress(part, asbytes=True)) for part in (data[:half], data[half:]))


def two_members(data: bytes) -> bytes:
    half = len(data) // 2
    return gzip.compress(data[:half]) + gzip.compress(data[half:])


def split(frame: pd.DataFrame, folder: Path, kind: str, pieces: int = 3) -> Path:
    """A table as files of a folder: rows stay in order where files are read by their names."""
    write: dict[str, Callable[[pd.DataFrame], bytes]] = {
        "csv": csv,
        "tsv": lambda part: csv(part, "\t"),
        "parquet": parquet,
        "arrow": arrow,
        "jsonl": lines,
    }
    pack: dict[str, Callable[[bytes], bytes]] = {"gz": two_members, "zst": zstd}
    form, _, packed = kind.partition(".")
    folder.mkdir(parents=True)
    for number in range(pieces):
        part = frame.iloc[number * len(frame) // pieces : (number + 1) * len(frame) // pieces]
        data = write[form](part)
        (folder / f"part-{number}.{kind}").write_bytes(pack[packed](data) if packed else data)
    return folder


def plain(frame: pd.DataFrame) -> list[tuple[Any, ...]]:
    """The rows as plain values."""
    return [tuple(None if pd.isna(value) else value for value in row) for row in frame.itertuples(index=False)]


def rows_of(table: pa.Table, names: list[str]) -> list[tuple[Any, ...]]:
    return list(zip(*(table.column(name).to_pylist() for name in names), strict=True))
