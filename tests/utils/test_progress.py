"""Progress is shown in a terminal and nowhere else."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pytest
from rich.console import Console

import covey
from covey.utils import progress

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    """What a terminal is told."""
    sink = io.StringIO()
    monkeypatch.setattr(progress, "console_of_errors", lambda: Console(file=sink, force_terminal=True, width=80))
    return sink


def test_steps_and_bars_are_shown_in_a_terminal(seen: io.StringIO, tmp_path: Path) -> None:
    patients = covey.datasets.load_patients().head(60)
    done = covey.release(patients, 3, quasi=["age"], drop_rest=True, progress=True)
    assert done.certificate.k >= 3
    assert "recounting" in seen.getvalue()
    covey.compare(patients, [3, 5], ["mdav"], quasi=["age", "charge"], drop_rest=True, progress=True)
    assert "2/2" in seen.getvalue()
    patients.to_parquet(tmp_path / "in.parquet")
    covey.release_file(
        tmp_path / "in.parquet", tmp_path / "out.parquet", 3, quasi=["age"], drop_rest=True, progress=True
    )
    assert "looking at the table" in seen.getvalue()


def test_nothing_is_shown_in_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    covey.release(covey.datasets.load_patients().head(60), 3, quasi=["age"], drop_rest=True, progress=True)
    assert capsys.readouterr() == ("", "")


def test_who_is_given_is_told() -> None:
    told: list[str] = []
    with progress.following(told.append) as step:
        step("reading")
    with progress.following(None) as step:
        step("writing")
    assert told == ["reading"]
