"""A process that is killed between writing and the recount leaves nothing; what appears has the mode it should have."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.io.files import made

if TYPE_CHECKING:
    from pathlib import Path

FORMATS = ("csv", "tsv", "parquet", "arrow", "jsonl", "xlsx", "sav", "dta", "xpt")
TARGETS = (*(f"out.{fmt}" for fmt in FORMATS), "sqlite:///out.db#t", "duckdb:///out.duckdb#t")
RELEASE = """
import os, signal, sys
import pyarrow as pa
import covey
from covey.memory import Release

def die(self, table):
    print(sorted(os.listdir(".")), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)

Release.recount = die
done = covey.release(pa.table({"age": list(range(40)), "income": [3.5 * i for i in range(40)]}), k=4, quasi=["age", "income"])
done.write(sys.argv[1], certificate="c.json", report="r.html", internal="internal.json")
"""
NETWORK = """
import os, signal, sys
from covey.network import release as made
from covey.network.publish.release import NetworkRelease

def die(self, vertices, edges):
    print(sorted(os.listdir(".")), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)

NetworkRelease.recount = die
made([(i, (i + 1) % 30) for i in range(30)], 3, seed=1).write(sys.argv[1], certificate="c.json")
"""


def killed(script: str, target: str, folder: Path) -> str:
    private = folder.parent / f"tmp-{folder.name}"
    private.mkdir()
    command = [sys.executable, "-c", script, target]
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, env=os.environ | {"TMPDIR": str(private)}, check=False
    )
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert list(private.iterdir()) == []
    return done.stdout.strip()


@pytest.mark.parametrize("target", TARGETS)
def test_a_killed_release_leaves_nothing(target: str, tmp_path: Path) -> None:
    assert killed(RELEASE, target, tmp_path) == "[]"  # nor was there anything while it was recounted
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("target", ["out.graphml", "out.gexf", "out.gml", "out.csv"])
def test_a_killed_release_of_a_network_leaves_nothing(target: str, tmp_path: Path) -> None:
    assert killed(NETWORK, target, tmp_path) == "[]"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("target", ["out.csv", "sqlite:///{}/out.db#t", "duckdb:///{}/out.duckdb#t"])
@pytest.mark.parametrize("files", ["nameless", "named"])
def test_what_appears_has_the_mode_of_the_umask_and_what_is_internal_is_the_owners(
    target: str, files: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if files == "named":
        monkeypatch.delattr(os, "O_TMPFILE")
    monkeypatch.chdir(tmp_path)
    before = os.umask(0o027)
    try:
        made().write(target.format(tmp_path), certificate="c.json", internal="internal.json")
    finally:
        os.umask(before)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    assert modes.pop("internal.json") == 0o600
    assert set(modes.values()) == {0o640}
    assert len(modes) == 2


@pytest.mark.parametrize("files", ["nameless", "named"])
def test_a_file_that_is_replaced_is_there_at_any_time(
    files: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if files == "named":
        monkeypatch.delattr(os, "O_TMPFILE")
    place = tmp_path / "out.csv"
    place.write_text("mine")
    there: list[str] = []
    replace = type(place).replace

    def look(self: Path, target: Path) -> Path:
        there.append(place.read_text())
        return replace(self, target)

    monkeypatch.setattr(type(place), "replace", look)
    made().write(place, force=True)
    assert there == ["mine"]
    assert place.read_text() != "mine"
    assert [path.name for path in tmp_path.iterdir()] == ["out.csv"]
