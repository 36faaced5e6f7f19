"""The README shows what the run wrote, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.harness.rendering import load
from benchmarks.peers.render import README, into_readme, kind_of, short, wrongs

DATA: dict[str, Any] = {
    "command": "python -m benchmarks.peers.run",
    "commit": "abc",
    "limit": 120.0,
    "disclosure": [],
    "measures": [{"package": "two", "question": "q", "rows": 3, "wrong": ["k = 3, counted 1"]}],
    "rows": [
        {"package": "one", "kind": "line", "table": "1e+06", "k": 5, "seconds": 0.5, "peak_mib": 9.0, "percent": 0.25, "wrong": []},
        {"package": "two", "kind": "line", "table": "1e+06", "k": 5, "over": 120.0, "peak_mib": 9.0, "wrong": []},
        {"package": "two", "kind": "hard line", "table": "ties", "k": 3, "wrong": ["2 groups below k, the smallest of 1"]},
    ],
}  # fmt: skip


def test_the_readme_is_rendered() -> None:
    data = load("peers")
    if data is None:
        pytest.skip("python -m benchmarks.peers.run has not been run")
    text = README.read_text(encoding="utf-8")
    assert into_readme(text, data) == text


def test_the_short_form_counts_what_was_wrong() -> None:
    text = short(DATA)
    assert "| one | 0.25 %, 0.5 s, 9 MiB |" in text
    assert "over 120 s" in text
    assert "groups below k (1), wrong measures (1)" in text
    assert wrongs(DATA)["one"] == {}


@pytest.mark.parametrize(
    ("wrong", "kind"),
    [
        ("3 rows lost", "rows lost"),
        ("1 groups below k, the smallest of 2", "groups below k"),
        ("not the optimum: loss larger by 3 %", "not the optimum"),
        ("failed: MemoryError", "out of memory"),
        ("failed: ValueError: no", "failed"),
        ("(5,) labels for 6 rows", "wrong number of labels"),
    ],
)
def test_kinds_of_what_is_wrong(wrong: str, kind: str) -> None:
    assert kind_of(wrong) == kind
