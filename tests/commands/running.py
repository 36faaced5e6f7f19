"""Running the program and failing commands."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from covey import cli

if TYPE_CHECKING:
    import pytest

ROLES = ["--quasi", "age,charge", "--sensitive", "diagnosis", "--drop", "patient", "--drop-rest"]


def program() -> str:
    found = shutil.which("covey", path=str(Path(sys.executable).parent))
    assert found is not None
    return found


def fails(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Run a command that must fail: exit code 2, one line on stderr, nothing on stdout."""
    before = {path.name: path.read_bytes() for path in Path().iterdir() if path.is_file()}
    assert cli.main(list(arguments)) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("covey: ")
    assert err.count("\n") == 1
    assert "Traceback" not in err
    assert {path.name: path.read_bytes() for path in Path().iterdir() if path.is_file()} == before
    return err
