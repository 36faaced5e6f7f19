"""The contract of `tests/contract` on a cluster: a dozen recipes in every run, all of them with COVEY_CONTRACT=all."""

from __future__ import annotations

import json
import os
from typing import Any

import pytest

from tests.contract import engines
from tests.contract.recipes import CASES
from tests.contract.records import differences, recorded

TAKEN = [name for name, case in CASES.items() if case.spark or os.environ.get("COVEY_CONTRACT") == "all"]


@pytest.mark.parametrize("name", TAKEN)
def test_the_release_is_the_recorded_one(name: str, spark: Any) -> None:
    found = engines.run(CASES[name], engines.spark, spark)
    differing = differences(recorded(name)["spark"], json.loads(json.dumps(found)))
    assert not differing, f"recipe {name}, engine spark: {'; '.join(differing)}"
