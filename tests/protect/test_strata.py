"""Groups within strata, and strata below k."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

import covey
from covey.errors import InfeasibleError
from tests.protect.releases import classes, release, table


def regions(small: int = 2) -> pa.Table:
    return table(40, region=["north"] * 20 + ["south"] * (20 - small) + ["west"] * small)


def test_groups_never_cross_strata() -> None:
    given = regions(small=10)
    done = release(given, strata=["region"], method="mdav")
    seen: dict[tuple[Any, ...], set[str]] = {}
    for age, income, region in zip(*(done.arrow[c].to_pylist() for c in ("age", "income", "region")), strict=True):
        seen.setdefault((age, income), set()).add(region)
    assert done.arrow["region"].to_pylist() == given["region"].to_pylist()
    assert min(classes(done, ["age", "income", "region"]).values()) >= 3
    assert sum(len(found) > 1 for found in seen.values()) <= 1  # equal means by chance apart


def test_small_strata() -> None:
    with pytest.raises(
        InfeasibleError, match=r"1 stratum holds fewer than k = 3 records \(2 records\).*--small-strata"
    ):
        release(regions(), strata=["region"])
    suppressed = release(regions(), strata=["region"], small_strata="suppress")
    assert "west" not in suppressed.arrow["region"].to_pylist()
    assert suppressed.arrow.num_rows == 38
    merged = release(regions(), strata=["region"], small_strata="merge")
    labels = set(merged.arrow["region"].to_pylist())
    assert "west" not in labels
    assert labels & {"north + west", "south + west"}
    assert len(labels) == 2
    assert merged.arrow.num_rows == 40
    assert any("1 stratum below k (2 records) was merged with the nearest" in str(note) for note in merged.report.notes)


def test_the_nearest_stratum_takes_the_small_one() -> None:
    given = pa.table({"age": [1, 2, 3, 2, 50, 51, 52, 53], "region": ["a", "a", "a", "s", "b", "b", "b", "b"]})
    done = covey.release(given, k=2, quasi=["age"], strata=["region"], small_strata="merge", shuffle=False)
    assert done.arrow["region"].to_pylist() == ["a + s"] * 4 + ["b"] * 4


def test_merged_numbers_become_text_and_that_is_reported() -> None:
    given = pa.table({"age": [1, 2, 3, 2, 50, 51, 52, 53], "year": [2001, 2001, 2001, 2002, 2003, 2003, 2003, 2003]})
    done = covey.release(given, k=2, quasi=["age"], strata=["year"], small_strata="merge", shuffle=False)
    assert done.arrow["year"].to_pylist()[0] == "2001 + 2002"
    assert any("published as text" in str(note) for note in done.report.notes)
    two = given.append_column("site", pa.array(["x"] * 8))
    both = covey.release(two, k=2, quasi=["age"], strata=["year", "site"], small_strata="merge", shuffle=False)
    assert set(both.arrow["site"].to_pylist()) == {"x"}


def test_nothing_left_is_an_error() -> None:
    given = table(4, region=list("abcd"))
    with pytest.raises(InfeasibleError, match="every stratum holds fewer than k"):
        release(given, strata=["region"], small_strata="suppress")


def test_merged_labels_tell_nothing_of_the_order() -> None:
    region = pa.array(["z"] * 10 + ["a"] * 10 + ["y"]).dictionary_encode()
    done = covey.release(
        pa.table({"x": list(range(21)), "region": region}), k=3, quasi=["x"], strata=["region"], small_strata="merge"
    )
    chunk = done.arrow["region"].combine_chunks()
    assert chunk.dictionary.to_pylist() == sorted(chunk.dictionary.to_pylist())
    assert chunk.type.index_type == region.type.index_type
