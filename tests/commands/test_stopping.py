"""Pipes, full disks, interrupts: nothing is left behind."""

from __future__ import annotations

import contextlib
import io
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import covey
from covey import cli
from covey.commands import shared
from covey.io import read_published
from tests.commands.running import ROLES, fails, program

if TYPE_CHECKING:
    from collections.abc import Iterator


def test_pipes(people: Path) -> None:
    data = (people / "people.csv").read_bytes()
    done = subprocess.run(
        [program(), "release", "-", "-k", "5", *ROLES, "-o", "-"], input=data, capture_output=True, check=True
    )
    (people / "out.csv").write_bytes(done.stdout)
    assert covey.verify(read_published("out.csv"), ["age", "charge"], 5).rows == 300
    assert b"k = 5 achieved" in done.stderr
    checked = subprocess.run(
        [program(), "check", "-", "-k", "5", "--quasi", "age,charge"],
        input=done.stdout,
        capture_output=True,
        check=True,
    )
    assert b"holds" in checked.stdout
    assert sorted(path.name for path in people.iterdir()) == ["out.csv", "people.csv"]


def test_a_full_disk_and_a_file_too_large(people: Path) -> None:
    command = [program(), "release", "people.csv", "-k", "5", *ROLES, "--quiet"]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([*command, "-o", "-"], stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 2
    assert done.stderr.decode() == "covey: '-' cannot be written: the disk is full; make room\n"

    def small() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))

    done = subprocess.run([*command, "-o", "out.csv"], capture_output=True, check=False, preexec_fn=small)
    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 1
    assert [path.name for path in people.iterdir()] == ["people.csv"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_no_permission(people: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (people / "locked").mkdir(mode=0o500)
    err = fails(capsys, "release", "people.csv", "-k", "5", "-o", "locked/out.csv", *ROLES)
    assert "not permitted" in err


def test_no_permission_said_in_one_line(
    people: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import tempfile

    def refuse(*_: Any, **__: Any) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(tempfile, "mkstemp", refuse)
    monkeypatch.setattr("covey.io.staging.nameless_handle", lambda _folder: None)
    err = fails(capsys, "release", "people.csv", "-k", "5", "-o", "out.csv", *ROLES)
    assert "'out.csv' cannot be written: writing there is not permitted" in err
    assert people.exists()


SEARCHES = """
from covey import cli
from covey.space import Search
run = Search._search
def said(*given):
    print("the search starts", flush=True)
    return run(*given)
Search._search = said
cli.run()
"""


def test_ctrl_c_leaves_nothing(people: Path) -> None:
    options = ["--quasi", "age,charge,visits", "--drop-rest", "--method", "search", "--options", "effort=100000000"]
    command = [sys.executable, "-c", SEARCHES, "release", "people.csv", "-k", "5", *options, "-o", "out.csv"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"the search starts\n"
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err == b"covey: interrupted; no output was written\n"
    assert [path.name for path in people.iterdir()] == ["people.csv"]


LOADING = """
import os, signal, sys
class Finder:
    def find_spec(self, name, *_):
        if name == sys.argv[1]:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Finder())
from covey.__main__ import program
program()
"""


@pytest.mark.parametrize("loaded", ["covey.cli", "typer", "numpy"])
def test_ctrl_c_while_python_loads_is_one_line(loaded: str) -> None:
    done = subprocess.run([sys.executable, "-c", LOADING, loaded], capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"covey: interrupted; no output was written\n")


@pytest.mark.usefixtures("people")
def test_progress_on_a_terminal_and_quiet_in_a_pipe(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from rich.console import Console

    terminal = io.StringIO()
    with monkeypatch.context() as patch:
        patch.setattr(shared, "errors", Console(file=terminal, force_terminal=True))
        assert cli.main(["release", "people.csv", "-k", "5", *ROLES, "-o", "o.csv", "--quiet"]) == 0
    assert all(step in terminal.getvalue() for step in ("reading", "grouping", "aggregating", "recounting"))
    assert cli.main(["release", "people.csv", "-k", "5", *ROLES, "-o", "p.csv", "--quiet"]) == 0
    assert capsys.readouterr() == ("", "")


def open_files(pid: int) -> Iterator[str]:
    """The names of the files that a process has open; one that it closes meanwhile is none of them."""
    for link in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):
            yield str(link.readlink())


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_standard_input_leaves_nothing_behind_when_interrupted(number: int, people: Path) -> None:
    (people / "tmp").mkdir()
    environment = os.environ | {"TMPDIR": str(people / "tmp")}
    command = [program(), "release", "-", "-k", "5", *ROLES, "-o", "out.csv"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)
    assert process.stdin is not None
    process.stdin.write((people / "people.csv").read_bytes())
    process.stdin.flush()
    for _ in range(600):
        time.sleep(0.1)
        if any(str(people / "tmp") in name for name in open_files(process.pid)):
            break  # what came in waits in a file without a name
    else:
        pytest.fail("the standard input was never read")
    process.send_signal(number)
    process.wait(timeout=60)
    process.stdin.close()
    assert process.stderr is not None
    process.stderr.close()
    assert process.returncode == 130
    assert list((people / "tmp").iterdir()) == []
    assert not (people / "out.csv").exists()
