"""Full disks, broken files, signals: what is wrong is said, and nothing is left behind."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from covey.errors import InputError, OutputError
from covey.files.release import release_file
from tests.commands.running import fails, program
from tests.files.tables import people, released, small


def slow(folder: Path) -> list[str]:
    """A release that takes a while."""
    rng = np.random.default_rng(0)
    table = pa.table({name: rng.normal(size=400_000) for name in ("a", "b", "c", "d")})
    pq.write_table(table, folder / "in.parquet")
    options = ["--quasi", "a,b,c,d", "--method", "mdav", "--memory", "400MiB", "--no-ledger"]
    return [program(), "release", "in.parquet", "-k", "5", *options, "-o", "out.parquet"]


def nameless(process: subprocess.Popen[bytes]) -> list[str]:
    """The files without a name that a process has open."""
    found = []
    for one in Path(f"/proc/{process.pid}/fd").iterdir():
        try:
            place, size = str(one.readlink()), one.stat().st_size
        except OSError:  # closed meanwhile
            continue
        if place.endswith("(deleted)") and size > 100_000:
            found.append(place)
    return found


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_a_signal_in_the_middle(number: int, tmp_path: Path) -> None:
    """Rows wait in files without a name: even kill -9 leaves nothing of them."""
    (tmp_path / "tmp").mkdir()
    process = subprocess.Popen(
        slow(tmp_path), cwd=tmp_path, stderr=subprocess.PIPE, env=os.environ | {"TMPDIR": str(tmp_path / "tmp")}
    )
    seen: list[str] = []
    for _ in range(300):
        time.sleep(0.1)
        seen = nameless(process)
        if seen:
            break
    assert seen
    process.send_signal(number)
    _, err = process.communicate(timeout=120)
    assert process.returncode == (-9 if number == signal.SIGKILL else 130)
    if number != signal.SIGKILL:
        assert err == b"covey: interrupted; no output was written\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.parquet", "tmp"]
    assert list((tmp_path / "tmp").iterdir()) == []


class Full:
    """A file on a disk that is full."""

    def __init__(self, file: Any) -> None:
        self.file, self.closed = file, False

    def write(self, _data: Any) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    def __getattr__(self, name: str) -> Any:
        return getattr(self.file, name)


def test_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from covey.utils import tempfiles

    small(monkeypatch)
    monkeypatch.setattr("covey.files.spool.nameless_file", lambda folder: Full(tempfiles.nameless_file(folder)))
    with pytest.raises(OutputError, match="cannot be written: the disk is full; make room"):
        released(people(), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["in.parquet"]


def test_a_broken_row_group_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    pq.write_table(people(2000), "in.parquet", row_group_size=500, compression="none", use_dictionary=False)
    place = pq.ParquetFile("in.parquet").metadata.row_group(2).column(1).data_page_offset
    data = bytearray(Path("in.parquet").read_bytes())
    data[place : place + 40] = bytes(40)
    Path("in.parquet").write_bytes(data)
    options = ["--quasi", "age,income", "--drop-rest", "--memory", "1GiB", "-o", "out.parquet"]
    err = fails(capsys, "release", "in.parquet", "-k", "5", *options)
    assert "row group 2 of 'in.parquet' cannot be read" in err
    Path("cut.parquet").write_bytes(bytes(data[:5000]))
    with pytest.raises(InputError, match="no parquet that can be read"):
        release_file("cut.parquet", "out.parquet", 5, quasi=["age"], drop_rest=True)


def test_a_table_that_changes_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from covey.files import source

    small(monkeypatch)
    batches, calls = source.ParquetSource.batches, [0]

    def shorter(self: Any, columns: Any, rows: Any) -> Any:
        calls[0] += 1
        found = list(batches(self, columns, rows))
        return iter(found if calls[0] == 1 else found[:-1])

    monkeypatch.setattr(source.ParquetSource, "batches", shorter)
    with pytest.raises(InputError, match="changed while it was read"):
        released(people(), tmp_path)


def test_on_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    pq.write_table(people(), "in.parquet")
    base = ["release", "in.parquet", "-k", "5", "--quasi", "age,income", "--drop-rest"]
    assert "memory is '2 apples'" in fails(capsys, *base, "-o", "out.parquet", "--memory", "2 apples")
    assert "at least 256 MiB" in fails(capsys, *base, "-o", "out.parquet", "--memory", "1MB")
    assert "needed, for a release in parts: files in one of" in fails(
        capsys, *base, "-o", "out.xlsx", "--memory", "1GiB"
    )
    assert "would replace the input" in fails(capsys, *base, "-o", "in.parquet", "--force", "--memory", "1GiB")


def test_a_file_that_does_not_fit_is_released_out_of_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from covey import cli
    from covey.commands import release as command

    monkeypatch.chdir(tmp_path)
    pq.write_table(people(), "in.parquet")
    used = []

    def watched(*given: Any, **more: Any) -> Any:
        used.append(more["memory"])
        return release_file(*given, **more)

    monkeypatch.setattr(command, "release_file", watched)
    base = ["release", "in.parquet", "-k", "5", "--quasi", "age,income", "--drop-rest", "--no-ledger"]
    assert cli.main([*base, "-o", "out.parquet"]) == 0
    assert used == []
    monkeypatch.setattr("covey.io.size.available", lambda: 10_000)
    monkeypatch.setattr("covey.files.release.available", lambda: 2**31)
    assert cli.main([*base, "-o", "large.parquet"]) == 0
    assert used == ["1024MiB"]
    assert "k = 5 achieved" in capsys.readouterr().err
