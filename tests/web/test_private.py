"""The private folder: what is left by a page that was killed is removed by the next one, and nothing else is."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import tempfile
from typing import TYPE_CHECKING

from covey.web.private import LOCK, PREFIX, private_folder

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

PAGE = """
import sys
from covey.web.private import private_folder
with private_folder() as folder:
    (folder / "upload.csv").write_text("x")
    print(folder, flush=True)
    sys.stdin.read()
"""


def test_folders_of_pages_that_were_killed_are_removed_and_no_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    with contextlib.ExitStack() as stack:
        pages = [
            stack.enter_context(
                subprocess.Popen([sys.executable, "-c", PAGE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            )
            for _ in range(2)
        ]
        killed, alive = (page.stdout.readline().strip() for page in pages if page.stdout is not None)
        pages[0].kill()
        pages[0].wait()
        target = tmp_path / "elsewhere"
        target.mkdir()
        (target / LOCK).touch()
        (tmp_path / f"{PREFIX}link").symlink_to(target)
        (tmp_path / f"{PREFIX}without-a-lock").mkdir()
        with private_folder() as own:
            left = {str(path) for path in tmp_path.iterdir()}
            assert killed not in left
            assert {alive, str(own), str(target)} < left
            assert (target / LOCK).exists()
            assert (tmp_path / f"{PREFIX}without-a-lock").exists()
        pages[1].communicate("")
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"{PREFIX}link", f"{PREFIX}without-a-lock", "elsewhere"]
