"""Columns that are grouped separately."""

from __future__ import annotations

import numpy as np
import pytest

from covey.errors import OptionError, RefusedError
from tests.protect.releases import classes, release, table


def test_blocks_are_grouped_separately_and_k_is_stated_jointly() -> None:
    given = table(60, seed=6)
    with pytest.raises(
        RefusedError, match="each block reaches k by itself, but not all together; allow a lower k jointly"
    ):
        release(given, blocks=[["age"], ["income"]])
    done = release(given, blocks=[["age"], ["income"]], allow_blocks=True)
    assert min(classes(done, ["age"]).values()) >= 3
    assert min(classes(done, ["income"]).values()) >= 3
    joint = min(classes(done, ["age", "income"]).values())
    assert done.certificate.k == joint < 3
    assert done.certificate.public["blocks"] == [["age"], ["income"]]
    with pytest.raises(OptionError, match="a weight belongs to one grouping"):
        release(table(60, w=[1.0] * 60), weight="w", blocks=[["age"], ["income"]])


def test_a_published_weight_counts_beside_every_block() -> None:
    given = table(40, w=np.arange(1.0, 41.0))
    blocks = [["age"], ["income"]]
    with pytest.raises(RefusedError, match="the smallest holds 1.*published weights count as known"):
        release(given, weight="w", weights="keep", blocks=blocks, allow_blocks=True)
    with pytest.raises(OptionError, match="allow_blocks is given, and has no effect without two blocks"):
        release(given, drop=["w"], blocks=[["age", "income"]], allow_blocks=True)


def test_blocks_of_linked_units_are_refused() -> None:
    given = table(40, who=[f"u{i // 2}" for i in range(40)])
    with pytest.raises(OptionError, match="blocks and linked units are given"):
        release(given, unit="who", random_ids=["who"], blocks=[["age"], ["income"]], allow_blocks=True, method="mdav")
