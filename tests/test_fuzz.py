"""A short run of the fuzzer; the long one is `make fuzz N=100000`."""

from __future__ import annotations

import pytest

from tests import fuzz


@pytest.mark.parametrize("first", range(0, 1600, 400))
def test_random_tables_roles_and_recipes(first: int) -> None:
    found = fuzz.run(first, 400)
    assert found.clean, found.summary()
    assert found.released > 80
