"""Commands on networks say what they do, and Ctrl-C ends them with nothing left behind."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import networkx as nx
import pytest

from covey import cli
from covey.commands import shared

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

STEPS = """
import contextlib
from covey import cli
from covey.commands import shared

@contextlib.contextmanager
def said():
    yield lambda step: print(step, flush=True)

shared.progress = said
cli.run()
"""
HOUR = ["--time-limit", "3600"]
SUM = ["--lower", "5", "--objective", "sum", *HOUR]
PATIENCE = 90.0
"""Seconds that a loaded machine may take to end a process, of a search that is given an hour; with a machine of one's own it is one or less."""


@pytest.fixture
def hubs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a network whose least sum nobody finds in an hour, which is the current one."""
    nx.write_edgelist(nx.barabasi_albert_graph(900, 4, seed=1), tmp_path / "hubs.edgelist")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "step"),
    [
        (["release", "hubs.edgelist", "-o", "out.csv", *SUM, "--no-ledger"], "clustering"),
        (
            ["release", "hubs.edgelist", "-o", "out.graphml", *SUM, "--method", "milp", "--no-ledger"],
            "clustering by milp",
        ),
        (
            ["release", "hubs.edgelist", "-o", "out.csv", *SUM, "--connected", "--method", "pipeline"],
            "clustering by pipeline",
        ),
        (
            ["microaggregate", "hubs.edgelist", "--lower", "3", *HOUR, "--method", "treewidth"],
            "clustering by treewidth",
        ),
        (["compare", "hubs.edgelist", "--lower", "5", "--objective", "sum", *HOUR], "lower 5, auto"),
    ],
    ids=["auto", "milp", "pipeline", "treewidth", "compare"],
)
def test_ctrl_c_ends_a_search_and_leaves_nothing(hubs: Path, arguments: list[str], step: str) -> None:
    command = [sys.executable, "-c", STEPS, "network", *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith(step):
            break
    else:
        pytest.fail(f"it never came to {step}: {process.communicate()[1]}")
    time.sleep(0.7)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    try:
        _, err = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    assert process.returncode == 130
    assert err == "covey: interrupted; no output was written\n"
    assert [path.name for path in hubs.iterdir()] == ["hubs.edgelist"]


@pytest.mark.parametrize(
    ("arguments", "steps"),
    [
        (
            ["release", "-o", "out.csv", "--lower", "3", "--samples", "2", "--report", "r.json", "--quiet"],
            [
                "reading",
                "clustering",
                "publishing",
                "measuring",
                "drawing sample 1",
                "drawing sample 2",
                "writing",
                "reporting",
            ],
        ),
        (
            ["degree", "-o", "out.csv", "-k", "3", "--quiet"],
            ["reading", "grouping degrees", "switching edges", "recounting", "writing", "reporting"],
        ),
        (["check", "-k", "2"], ["reading", "counting"]),
        (
            ["compare", "--lower", "3", "--connected", "--samples", "1"],
            ["reading", "measuring the original", "lower 3, auto, connected"],
        ),
        (["microaggregate", "--lower", "3"], ["reading", "clustering"]),
    ],
    ids=lambda value: value[0],
)
def test_every_command_says_its_steps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], steps: list[str]
) -> None:
    said: list[str] = []

    @contextlib.contextmanager
    def heard() -> Iterator[object]:
        yield said.append

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(shared, "progress", heard)
    nx.write_edgelist(nx.karate_club_graph(), "karate.edgelist", data=False)
    assert cli.main(["network", arguments[0], "karate.edgelist", *arguments[1:]]) == int(arguments[0] == "check")
    assert [any(text.startswith(step) for text in said) for step in steps] == [True] * len(steps)
    places = [next(place for place, text in enumerate(said) if text.startswith(step)) for step in steps]
    assert places == sorted(places)
