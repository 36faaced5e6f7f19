"""Where the undecided tail of a stream goes, and that nothing of it stays."""

from __future__ import annotations

import errno
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from covey.errors import OutputError
from covey.line import stream, streaming
from covey.line.spill import Spill
from covey.line.tail import Tail
from covey.utils.tempfiles import nameless_file
from tests.line.stream_oracle import all_ends, in_memory, loss_of_ends

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

SQUARES = np.arange(5000.0) ** 2  # the best place for odd sizes is the far past: paths never meet


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(streaming, "_SEGMENT", 1)
    monkeypatch.setattr(streaming, "_PIECE", 256)
    return tmp_path


def watch(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The files that are made."""
    made: list[Any] = []

    def record() -> Any:
        made.append(nameless_file())
        return made[-1]

    monkeypatch.setattr("covey.line.spill.nameless_file", record)
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
    assert all(file.closed for file in made)
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


@pytest.mark.parametrize("never_named", [True, False])
def test_the_file_has_no_name(temporary: Path, monkeypatch: pytest.MonkeyPatch, *, never_named: bool) -> None:
    """Where each file has a name at first, it stands in a folder of its own, private and removed at once."""
    made = watch(monkeypatch)
    seen, folders = [], []
    make_folder = tempfile.TemporaryDirectory

    def record(**options: Any) -> Any:
        folders.append(make_folder(**options))
        assert Path(folders[-1].name).stat().st_mode & 0o777 == 0o700
        return folders[-1]

    monkeypatch.setattr(tempfile, "TemporaryDirectory", record)
    if not never_named:
        monkeypatch.setattr("covey.utils.tempfiles.nameless_handle", lambda _folder: None)

    def blocks() -> Iterator[Any]:
        for block in np.split(SQUARES, 50):
            seen.append((len(made), list(temporary.iterdir())))
            yield block

    all_ends(blocks(), 3, tail_memory=1)
    assert seen[-1] == (1, [])
    assert len(folders) == (not never_named)


def test_a_generator_that_is_closed_early_leaves_nothing(temporary: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = watch(monkeypatch)

    def blocks() -> Iterator[Any]:
        yield from np.split(SQUARES, 50)
        yield SQUARES[-1] + np.zeros(10_000)  # here paths meet, and cuts come out

    given = stream(blocks(), 3, tail_memory=1)
    next(given)
    assert not made[0].closed
    given.close()  # type: ignore[attr-defined]
    assert made[0].closed
    assert not list(temporary.iterdir())


def test_an_error_of_the_caller_s_leaves_nothing(temporary: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = watch(monkeypatch)

    def blocks() -> Iterator[Any]:
        yield SQUARES
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        all_ends(blocks(), 3, tail_memory=1)
    assert made[0].closed
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

    def full() -> Any:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("covey.line.spill.nameless_file", full)
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
