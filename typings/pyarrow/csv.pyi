from collections.abc import Iterator
from typing import Any

from pyarrow import RecordBatch, Table

class InvalidRow:
    expected_columns: int
    actual_columns: int

def open_csv(*values: Any, **options: Any) -> Iterator[RecordBatch]: ...
def read_csv(*values: Any, **options: Any) -> Table: ...
def __getattr__(name: str) -> Any: ...
