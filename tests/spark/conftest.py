"""One cluster for all tests that need one."""

from __future__ import annotations

import gc
import os
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.conftest import need_program
from tests.spark.cluster import cluster

if TYPE_CHECKING:
    from collections.abc import Iterator

# PySpark warns of pandas 3, and leaves the closing of its sockets to the garbage collector.
CAUSED_BY_PYSPARK = (
    "ignore:PySpark does not yet fully support pandas:FutureWarning",
    "ignore:unclosed:ResourceWarning",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            for warning in CAUSED_BY_PYSPARK:
                item.add_marker(pytest.mark.filterwarnings(warning))


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    """A session on a cluster with two executor processes."""
    need_program("java")
    if os.environ.get("CI") != "true":
        pytest.importorskip("pyspark")
    with cluster() as session:
        yield session
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()
