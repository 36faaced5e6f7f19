"""Methods by name, and tables of every size."""

from __future__ import annotations

import pyarrow as pa
import pytest

import covey
from covey.errors import InfeasibleError, InputError
from tests.protect.releases import classes, release, table


@pytest.mark.parametrize(
    "method", ["mdav", "vmdav", "cbfs", "imhm", "split", "pca", "search", "kmeans", "tour", "nearest-neighbour"]
)
def test_methods_by_name(method: str) -> None:
    options = {"effort": 20} if method == "search" else {}
    done = release(table(40), method=method, options=options)
    assert done.certificate.public["method"] == method
    assert min(classes(done, ["age", "income"]).values()) >= 3


def test_a_seed_reaches_the_method() -> None:
    given = table(80, seed=9)
    released = {
        seed: release(given, method="random-projection", seed=seed, options={"projections": 1}).arrow for seed in (1, 2)
    }
    assert not released[1].equals(released[2])


@pytest.mark.parametrize("n", [3, 5, 6])
def test_k_rows_and_a_few_more(n: int) -> None:
    done = release(table(n))
    assert done.arrow.num_rows == n
    assert min(classes(done, ["age", "income"]).values()) >= 3


def test_one_row_and_no_row() -> None:
    with pytest.raises(InfeasibleError, match="the table has 1 records, and k is 3"):
        release(table(1))
    with pytest.raises(InputError, match="the table has no rows"):
        release(table(0))


def test_ten_thousand_categories_and_one() -> None:
    given = pa.table({"zip": [f"z{i % 10000}" for i in range(20000)], "same": ["x"] * 20000})
    done = covey.release(given, k=3, quasi=["zip", "same"], method="split")
    assert done.certificate.k >= 3
    assert set(done.arrow["same"].to_pylist()) == {"x"}
    assert any("10000 categories: distances between them are approximate" in str(note) for note in done.report.notes)
