"""What a stream takes and refuses, where its undecided tail goes, and that nothing of it stays."""

from __future__ import annotations

import errno
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest

from covey.errors import InputError, OptionError, OutputError
from covey.line import stream, streaming
from covey.line.spill import Spill
from covey.line.tail import Tail
from tests.line.costs_of_our_own import Declared
from tests.line.stream_oracle import all_ends, in_memory, loss_of_ends

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

SQUARES = np.arange(5000.0) ** 2  # the best place for odd sizes is the far past: paths never meet


# --- The door ---


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


# --- The spill ---


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(streaming, "_SEGMENT", 1)
    monkeypatch.setattr(streaming, "_PIECE", 256)
    return tmp_path


def watch(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The files that are made, with the rights of their folder."""
    made: list[Any] = []
    make = tempfile.TemporaryFile

    def record(**options: Any) -> Any:
        made.append((make(**options), Path(options["dir"]).stat().st_mode & 0o777))
        return made[-1][0]

    monkeypatch.setattr(tempfile, "TemporaryFile", record)
    return made


@pytest.mark.parametrize("cost", ["sse", "sae", "maxdist", "roundup", "rounddown"])
def test_a_tail_on_disk_gives_the_same_cuts(cost: str, temporary: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = watch(monkeypatch)
    rng = np.random.default_rng(1)
    mixed = np.concatenate([SQUARES[:2000], SQUARES[1999] + np.cumsum(rng.random(1000)), 1e9 + SQUARES])
    for x in (SQUARES, mixed):
        for k in (2, 7, 25, 45):
            ends = all_ends(np.split(x, 40), k, cost, tail_memory=1)
            assert ends == all_ends(np.split(x, 40), k, cost)
            assert loss_of_ends(cost, x, ends) == loss_of_ends(cost, x, in_memory(x, k, cost))
    assert len(made) == 8  # one file a stream, none where the tail has room
    assert all(file.closed for file, _ in made)
    assert not list(temporary.iterdir())


def test_little_stays_in_memory(temporary: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert temporary.exists()
    held = []
    make_room = Tail._make_room

    def watched(self: Tail) -> None:
        make_room(self)
        held.append(self._held)

    monkeypatch.setattr(Tail, "_make_room", watched)
    all_ends(np.split(SQUARES, 50), 3, tail_memory=4000)
    assert 2000 < max(held) <= 4000


def test_the_file_has_no_name_and_the_folder_was_private(temporary: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = watch(monkeypatch)
    seen = []

    def blocks() -> Iterator[Any]:
        for block in np.split(SQUARES, 50):
            seen.append((len(made), list(temporary.iterdir())))
            yield block

    all_ends(blocks(), 3, tail_memory=1)
    assert seen[-1] == (1, [])
    assert made[0][1] == 0o700


def test_a_generator_that_is_closed_early_leaves_nothing(temporary: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = watch(monkeypatch)

    def blocks() -> Iterator[Any]:
        yield from np.split(SQUARES, 50)
        yield SQUARES[-1] + np.zeros(10_000)  # here paths meet, and cuts come out

    given = stream(blocks(), 3, tail_memory=1)
    next(given)
    assert not made[0][0].closed
    given.close()  # type: ignore[attr-defined]
    assert made[0][0].closed
    assert not list(temporary.iterdir())


def test_an_error_of_the_caller_s_leaves_nothing(temporary: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = watch(monkeypatch)

    def blocks() -> Iterator[Any]:
        yield SQUARES
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        all_ends(blocks(), 3, tail_memory=1)
    assert made[0][0].closed
    assert not list(temporary.iterdir())


def test_no_value_goes_to_disk(temporary: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only sizes of groups and distances to cuts, all below 2k."""
    assert temporary.exists()
    most = []
    store = Spill.store

    def watched(self: Spill, values: NDArray[np.uint32]) -> int:
        most.append(int(values[20:].max()))  # the first 2k prefixes are one group
        return store(self, values)

    monkeypatch.setattr(Spill, "store", watched)
    all_ends(np.split(SQUARES + 1000, 50), 5, tail_memory=1)
    assert max(most) < 10


def test_a_full_disk_is_said(temporary: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert temporary.exists()

    def full(**_: Any) -> Any:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(tempfile, "TemporaryFile", full)
    with pytest.raises(OutputError, match="cannot be stored: No space left on device; needed"):
        all_ends([SQUARES], 3, tail_memory=1)


SCRIPT = """
import itertools, signal, sys, tempfile
import numpy as np
from covey.line import stream
tempfile.tempdir = sys.argv[1]
signal.setitimer(signal.ITIMER_REAL, 0.5)
signal.signal(signal.SIGALRM, signal.default_int_handler)
try:
    for _ in stream((np.arange(i * 1000.0, (i + 1) * 1000.0) ** 2 for i in itertools.count()), 3, tail_memory=1):
        pass
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs the interval timers of POSIX")
def test_ctrl_c_ends_an_endless_stream(tmp_path: Path) -> None:
    command = [sys.executable, "-c", SCRIPT, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout == "interrupted\n", done.stderr
    assert not list(tmp_path.iterdir())
