"""A folder with a table in it, for tests of the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import covey

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def people(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a table in it, which is the current one."""
    covey.datasets.load_patients().head(300).to_csv(tmp_path / "people.csv", index=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path
