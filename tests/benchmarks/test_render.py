"""The page of results is what its JSON says, and each topic of the benchmarks has what is run and what is shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import render
from benchmarks.harness.measure import BENCHMARKS, RESULTS
from benchmarks.harness.rendering import load

TOPICS = sorted(path.parent.name for path in BENCHMARKS.glob("*/run.py"))


def test_the_page_is_rendered() -> None:
    assert render.results() == render.RESULTS.read_text()


def test_every_result_is_on_the_page() -> None:
    assert {path.stem for path in RESULTS.glob("*.json")} <= set(render.SECTIONS)


def test_every_topic_is_on_the_page() -> None:
    assert sorted(topic.__name__.split(".")[1] for topic in render.TOPICS) == TOPICS


@pytest.mark.parametrize("name", sorted(path.stem for path in RESULTS.glob("*.json")))
def test_a_result_names_the_program_that_measures_it(name: str) -> None:
    data = load(name)
    assert data is not None
    module = str(data["command"]).removeprefix("python -m ").split()[0]
    assert (BENCHMARKS.parent / Path(*module.split("."))).with_suffix(".py").exists()


@pytest.mark.parametrize("topic", TOPICS)
def test_make_bench_runs_every_topic(topic: str) -> None:
    assert f"-m benchmarks.{topic}.run" in (BENCHMARKS.parent / "Makefile").read_text()
