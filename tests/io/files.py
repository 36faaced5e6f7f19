"""Files and releases for tests of reading and writing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa

import covey

if TYPE_CHECKING:
    from pathlib import Path


def write(path: Path, text: str, encoding: str = "utf-8") -> Path:
    path.write_bytes(text.encode(encoding))
    return path


def types(loaded: Any) -> dict[str, str]:
    return {field.name: str(field.type) for field in loaded.table.schema}


def made() -> covey.Release:
    return covey.release(pa.table({"x": list(range(12)), "y": [1.5] * 12}), k=3, quasi=["x", "y"])


def workbook(path: Path, rows: list[list[Any]]) -> Path:
    import xlsxwriter

    book = xlsxwriter.Workbook(str(path))
    sheet = book.add_worksheet()
    for number, row in enumerate(rows):
        for place, value in enumerate(row):
            if value == "#DIV/0!":
                sheet.write_formula(number, place, "=1/0", None, "#DIV/0!")
            else:
                sheet.write(number, place, value)
    book.close()
    return path
