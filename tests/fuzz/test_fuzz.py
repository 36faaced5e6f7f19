"""A short run of the fuzzer; the long one is `make fuzz N=100000`."""

from __future__ import annotations

import pytest

import covey
from tests.fuzz import count, run


@pytest.mark.parametrize("first", range(0, 1600, 400))
def test_random_tables_roles_and_recipes(first: int) -> None:
    found = run.run(first, 200)
    assert found.clean, found.summary()
    assert found.released > 30


def test_the_count_sees_what_falls_short() -> None:
    """Twelve households that all have A, and one of B, C and D: everyone knows of A."""
    shared = [{"A", other} for other in "BCD" * 4]
    assert not count.distinct(shared, 2, 0.0)
    assert not count.entropic(shared, 1.1, 0.0)
    assert not count.recursive(shared, 2, 9.0)
    alone = [{value} for value in "ABCD"]
    assert count.distinct(alone, 4, 0.0)
    assert not count.distinct(alone, 5, 0.0)
    assert count.entropic(alone, 4.0, 0.0)
    assert count.recursive(alone, 2, 1.0)
    assert not count.distinct([set(), set()], 2, 0.0)


def test_the_count_takes_known_and_missing_values_apart() -> None:
    whole = [{"1"}, {"2"}, {"3"}, {""}]
    halves = [[{"1"}, {"2"}], [{"3"}, {""}]]
    assert count.close(halves, whole, 0.5, ["1", "2", "3"])
    assert not count.close(halves, whole, 0.3, ["1", "2", "3"])
    assert not count.close([[{""}], whole[:3]], whole, 0.7, None)
    assert count.close([[{""}], whole[:3]], whole, 0.75, None)


def test_the_count_reads_what_is_written() -> None:
    assert count.reading("'-07.0") == count.reading(-7.0) == "-7"
    assert count.reading(None) == count.reading("  ") == ""
    written = count.Written({"age": ["1", "1", "2", "2"], "told": ["hiv", "HIV ", "a", "b"]}, 4)
    recipe = covey.Recipe(k=2, roles=covey.Roles(quasi=("age",), sensitive=("told",)), l_diversity=2)
    assert count.smallest(written, recipe, None) == 2
    assert count.smallest(written, recipe, ["7", "7", "8", "9"]) == 1
    assert count.fails(written, recipe, None, {}) == "at least 2 different values of told (reading)"
