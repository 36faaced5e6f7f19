"""What a stream takes and what it refuses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest

from covey.errors import InputError, OptionError
from covey.line import stream
from tests.line.costs_of_our_own import Declared
from tests.line.stream_oracle import all_ends, in_memory

if TYPE_CHECKING:
    from collections.abc import Iterator


def test_blocks_of_any_kind_and_length() -> None:
    blocks = [
        [],
        [1, 2],
        np.array([3], dtype=np.int8),
        pd.Series([10.0, 11.0]),
        np.empty(0),
        np.array([[12.0], [13.0]]),
    ]
    assert all_ends(blocks, 2) == in_memory([1, 2, 3, 10, 11, 12, 13], 2)
    assert all_ends(iter([[1.0, 2.0]]), 2) == [2]


def test_an_array_that_is_filled_again_and_again() -> None:
    x = np.sort(np.random.default_rng(2).random(1000))
    room = np.empty(10)

    def blocks() -> Iterator[Any]:
        for start in range(0, len(x), 10):
            room[:] = x[start : start + 10]
            yield room

    for k in (3, 25, 300):
        assert all_ends(blocks(), k) == in_memory(x, k)


def test_the_ends_are_positions() -> None:
    (ends,) = stream([[1.0, 2.0, 10.0, 11.0]], 2)
    assert ends.dtype == np.int64
    assert ends.tolist() == [2, 4]


@pytest.mark.parametrize(
    ("blocks", "word"),
    [
        ([[1.0, 2.0], [1.5, 3.0]], "block 2 .* starts below the end"),
        ([[1.0], [], [3.0, 2.5]], "block 3 .* does not ascend"),
        ([[1.0, np.nan]], "1 missing values"),
        ([[1.0, 2.0], [np.inf]], "1 infinite values"),
        ([["a"]], "strings"),
        ([np.zeros((2, 2))], "2 dimensions"),
        ([], "empty"),
        ([[], []], "empty"),
        (5, "iterable"),
        ("12", "iterable"),
        ([[2**53 + 1], [2**53 + 1.5]], "one type"),
        ([[-(2**60)], [2**60]], "2\\^53"),
        ([[0.0, 0.0, 1e-200, 1.0, 1e100, 1e300]], "magnitudes"),
    ],
)
def test_what_is_refused(blocks: Any, word: str) -> None:
    with pytest.raises(InputError, match=word) as raised:
        list(stream(blocks, 1 if word == "2 dimensions" else 2))
    assert "1.5" not in str(raised.value)
    assert raised.value.__cause__ is None


def test_fewer_records_than_k_is_the_error_of_the_search_in_memory() -> None:
    with pytest.raises(OptionError) as in_one:
        in_memory([1.0, 2.0], 3)
    for k in (10**12, 10**30):  # nothing of that size is made
        with pytest.raises(OptionError, match="there are 2 records"):
            list(stream([[1.0], [2.0]], k))
    given = stream([[1.0], [2.0]], 3)
    with pytest.raises(OptionError) as in_blocks:
        next(given)
    assert str(in_blocks.value) == str(in_one.value)


@pytest.mark.parametrize(
    "options", [{"k": 0}, {"k": 2.5}, {"cost": "mean"}, {"tail_memory": 0}, {"cost": Declared("sse")}]
)
def test_options_are_refused_at_once(options: dict[str, Any]) -> None:
    """At the call, not when the first cuts are asked for."""
    with pytest.raises(OptionError):
        stream([[1.0]], **({"k": 2} | options))


@pytest.mark.parametrize("dtype", [np.int64, np.uint64])
def test_integers_beyond_floats_are_told_apart(dtype: Any) -> None:
    first = 2**62 if dtype is np.int64 else 2**63 + 2**62
    x = np.array([first + step for step in (0, 1, 2, 7, 8, 9)], dtype=dtype)
    assert all_ends([x[:1], x[1:4], x[4:]], 3) == [3, 6]
    with pytest.raises(InputError, match="starts below"):
        all_ends([x, x[:1]], 3)


def test_negative_integers_beyond_floats() -> None:
    x = np.array([-(2**62), -(2**62) + 1, -(2**62) + 5, -(2**62) + 6])
    assert all_ends([x[:3], x[3:]], 2) == [2, 4]
