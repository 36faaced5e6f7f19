"""Workers: results, steps, errors as sentences, an end that is really one; the jobs they do."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import signal
import tempfile
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import networkx as nx
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import scipy.io

from covey.cli import main
from covey.columns.exposure import ExposedError
from covey.columns.suggest import suggest
from covey.errors import CoveyError, InputError
from covey.io import Loaded, read
from covey.io.inference import Declared
from covey.memory import release
from covey.network.publish.recipe import NAMES, read_network_recipe
from covey.recipe.engines import Engine
from covey.recipe.recipe import Recipe
from covey.web import jobs
from covey.web.budgets import Bought, Budget
from covey.web.choices import Settings, recipe_of
from covey.web.downloads import TABLE
from covey.web.networks import COUNTS, FURTHER, KEPT, SENTENCES, START, further, read_uploaded
from covey.web.private import memory_budget, private_folder
from covey.web.runs import Run
from covey.web.source import Source, example, from_command_line, from_upload
from covey.web.wording import title_of
from covey.web.worker import CancelledRunError, Spare, Worker, answer

if TYPE_CHECKING:
    from collections.abc import Iterator

CHOSEN: dict[str, Any] = {
    "k": 5,
    "method": "mdav",
    "quasi": ["age", "charge"],
    "sensitive": ["diagnosis"],
    "drop_rest": True,
}


def silent(_step: Any) -> None:
    """Who hears nothing."""


@pytest.fixture
def worker() -> Iterator[Worker]:
    spare = Spare()
    made = Worker(spare)
    yield made
    made.end()
    spare.close()


def test_a_worker_answers_tells_and_fails_in_sentences(worker: Worker, tmp_path: Path) -> None:
    source = example("table", tmp_path)
    steps: list[Any] = []

    async def talk() -> None:
        columns, sample, notes = await worker.run("open_table", source, Declared(), tell=steps.append)
        assert [column.name for column in columns][:2] == ["patient", "age"]
        assert (sample.table.num_rows, notes) == (3000, [])
        with pytest.raises(CoveyError, match="there is no file"):
            await worker.run("open_table", Source(str(tmp_path / "none.csv"), "none.csv", "table", ".csv"), Declared())
        report = await worker.run("preview", sample, Recipe.from_dict(CHOSEN))
        assert report["k_achieved"] == 5

    asyncio.run(talk())
    assert steps == ["reading", "looking at the columns"]


def test_a_worker_that_is_ended_stops_at_once_and_begins_anew(worker: Worker, tmp_path: Path) -> None:
    source = example("network", tmp_path)
    slow = Loaded(
        pa.table({"x": [float(v % 977) for v in range(40_000)], "y": [float(v % 983) for v in range(40_000)]})
    )
    recipe = Recipe.from_dict({"k": 40, "method": "search", "options": {"effort": 50}, "quasi": ["x", "y"]})

    async def cancel_it() -> None:
        begun = threading.Event()
        told = lambda step: begun.set() if step == "grouping" else None  # noqa: E731
        running = asyncio.create_task(worker.run("preview", slow, recipe, tell=told))
        assert await asyncio.to_thread(begun.wait, 60)
        process = worker._process
        assert process is not None
        await asyncio.to_thread(worker.end)
        assert not process.is_alive()
        with pytest.raises(CancelledRunError, match="cancelled; nothing was released"):
            await running
        assert len(await worker.run("open_table", source, Declared())) == 3

    asyncio.run(cancel_it())


def test_a_worker_that_dies_says_why_it_may_have(worker: Worker, tmp_path: Path) -> None:
    source = example("network", tmp_path)

    async def kill_it() -> None:
        await worker.run("open_table", source, Declared())
        assert worker._process is not None
        number = int(worker._process.pid or 0)
        os.kill(number, signal.SIGSTOP)  # so that it cannot answer first
        running = asyncio.create_task(worker.run("open_table", source, Declared()))
        await asyncio.sleep(0.1)
        os.kill(number, signal.SIGKILL)
        with pytest.raises(CoveyError, match="ended by itself; the memory may not be enough") as error:
            await running
        assert not isinstance(error.value, CancelledRunError)
        assert len(await worker.run("open_table", source, Declared())) == 3

    asyncio.run(kill_it())


def test_many_runs_do_not_keep_a_cancel_waiting(tmp_path: Path) -> None:
    """More runs than the server has threads of its own: each is ended while all of them run."""
    spare = Spare()
    source = example("network", tmp_path)
    many = [Worker(spare) for _ in range(9)]

    async def end_all() -> list[Any]:
        pipes = [SilentPipe() for _ in many]
        for one, pipe in zip(many, pipes, strict=True):
            one._process, one._pipe = pipe, pipe  # type: ignore[assignment]
        runs = [asyncio.create_task(one.run("open_table", source, Declared())) for one in many]
        async with asyncio.timeout(30):
            while not all(pipe.asked for pipe in pipes):  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        for one in reversed(many):
            await asyncio.to_thread(one.end)
        return await asyncio.gather(*runs, return_exceptions=True)

    found = asyncio.run(end_all())
    spare.close()
    assert [type(one) for one in found] == [CancelledRunError] * len(many)


class SilentPipe:
    """A process and its pipe in one: never answers, and ends when it is told to."""

    def __init__(self) -> None:
        self.ended = threading.Event()
        self.asked: list[Any] = []

    def is_alive(self) -> bool:
        return not self.ended.is_set()

    def terminate(self) -> None:
        self.ended.set()

    def join(self, _seconds: float) -> None:
        """It ended at once."""

    def send(self, job: Any) -> None:
        self.asked.append(job)

    def recv(self) -> Any:
        assert self.ended.wait(30)
        raise EOFError


def test_jobs_that_come_at_once_are_done_one_after_the_other(worker: Worker, tmp_path: Path) -> None:
    table, network = example("table", tmp_path), example("network", tmp_path)

    async def both() -> Any:
        return await asyncio.gather(
            worker.run("open_table", table, Declared()), worker.run("open_table", network, Declared())
        )

    names = [[column.name for column in opened[0]][:2] for opened in asyncio.run(both())]
    assert names == [["patient", "age"], ["source", "target"]]


def test_a_spare_process_waits_and_leaves_none_behind() -> None:
    spare = Spare()
    spare.fill()
    waiting = spare._waiting
    assert waiting is not None
    spare.fill()
    assert spare.take() is waiting
    waiting[0].terminate()
    spare.close()
    spare.fill()
    assert spare._waiting is None
    assert [process for process in multiprocessing.active_children() if process is not waiting[0]] == []


class Failing:
    """Jobs that go wrong."""

    @staticmethod
    def wanted(value: str, told: Any) -> None:
        told(value)
        raise InputError(value)

    @staticmethod
    def memory(_told: Any) -> None:
        raise MemoryError

    @staticmethod
    def disk(_told: Any) -> None:
        raise OSError(28, "secret-value")

    @staticmethod
    def bug(_told: Any) -> None:
        msg = "secret-value"
        raise ValueError(msg)


def test_errors_are_sentences_without_values() -> None:
    assert answer(Failing, "wanted", ("k is 1",), silent) == ("error", "k is 1")
    for job, words in (
        ("memory", "memory is not enough"),
        ("disk", "disk full"),
        ("bug", "a bug in covey (ValueError)"),
    ):
        kind, text = answer(Failing, job, (), silent)
        assert kind == "error"
        assert words in text
        assert "secret-value" not in text


def test_columns_that_undo_the_grouping_are_named(tmp_path: Path) -> None:
    sample = read(example("table", tmp_path).path)
    recipe = Recipe.from_dict(CHOSEN | {"keep": ["patient"]})
    kind, value = answer(jobs, "preview", (sample, recipe), silent)
    assert (kind, list(value[1])) == ("exposed", [("patient",)])
    assert ExposedError(*value).by_column["patient"].startswith("it is nearly unique: 100%")


def test_a_sample_keeps_rows_whole_and_in_order() -> None:
    rows = list(range(10_000))
    table = pa.table({"x": rows, "y": [-row for row in rows]})
    loaded = Loaded(table, texts={"x": pa.chunked_array([[f"{row}.0" for row in rows]])})
    some = jobs.sample_of(loaded, 500)
    kept = some.table["x"].to_pylist()
    assert kept == sorted(set(kept))
    assert len(kept) == 500
    assert some.table["y"].to_pylist() == [-row for row in kept]
    assert some.texts["x"].to_pylist() == [f"{row}.0" for row in kept]
    assert jobs.sample_of(loaded, 10_000) is loaded
    assert jobs.sample_of(loaded, 500).table.equals(some.table)


def test_a_preview_of_a_small_table_says_what_its_release_will(tmp_path: Path) -> None:
    source, recipe = example("table", tmp_path), Recipe.from_dict(CHOSEN)
    _, sample, _ = jobs.open_table(source, Declared(), silent)
    shown, done = jobs.preview(sample, recipe, silent), jobs.released(source, recipe, str(tmp_path), ".csv", silent)
    assert (shown["risk"], shown["utility"], shown["groups"]) == (done["risk"], done["utility"], done["groups"])


def test_a_table_without_records_is_said_to_have_none(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("x,y\n")
    with pytest.raises(CoveyError, match="no records"):
        jobs.open_table(Source(str(tmp_path / "a.csv"), "a.csv", "table", ".csv"), Declared(), silent)


def test_an_upload_is_called_as_its_user_called_it(tmp_path: Path) -> None:
    for kind, suffix in (("table", ".parquet"), ("network", ".graphml")):
        source = from_upload(f"people{suffix}", kind, tmp_path)
        Path(source.path).write_bytes(b"nothing of the kind")
        given = (source, Declared()) if kind == "table" else (source,)
        how, text = answer(jobs, f"open_{kind}", given, silent)
        assert how == "error"
        assert f"people{suffix}" in text
        assert "upload-" not in text


@pytest.mark.parametrize("suffix", [".edgelist", ".adjlist", ".net", ".mtx", ".g6", ".gml"])
def test_every_format_of_networks_is_opened(suffix: str, tmp_path: Path) -> None:
    """By upload and from the command line: what `covey network` reads."""
    graph = nx.karate_club_graph()
    plain = nx.Graph(list(graph.edges))
    source = from_upload(f"club{suffix}", "network", tmp_path)
    if suffix == ".mtx":
        scipy.io.mmwrite(source.path, nx.to_scipy_sparse_array(plain, weight=None), symmetry="symmetric")
    elif suffix == ".g6":
        nx.write_graph6(plain, source.path)
    else:
        writer = {".edgelist": "edgelist", ".adjlist": "adjlist", ".net": "pajek", ".gml": "gml"}[suffix]
        getattr(nx, f"write_{writer}")(plain, source.path)
    ((size, *_),) = jobs.open_network(source, silent)
    assert size == "34 vertices and 78 edges"
    assert from_command_line(source.path).kind == "network"


def test_a_nested_column_is_shown_and_dropped(tmp_path: Path) -> None:
    path = tmp_path / "nested.parquet"
    table = {"age": list(range(40)), "visits": [[1, 2]] * 39 + [None], "place": [{"x": 1.5}] * 40}
    pq.write_table(pa.table(table), path)
    source = Source(str(path), "nested.parquet", "table", ".parquet")
    columns, sample, _ = jobs.open_table(source, Declared(), silent)
    assert [(one.type, one.missing) for one in columns] == [("whole numbers", 0), ("nested", 1), ("nested", 0)]
    roles = {name: one.role for name, one in suggest(columns).items()}
    assert roles == {"age": "quasi", "visits": "drop", "place": "drop"}
    assert jobs.preview(sample, recipe_of(roles, Settings(), columns), silent)["k_achieved"] == 5
    refused = {"age": "quasi", "visits": "keep", "place": "drop"}
    how, text = answer(jobs, "preview", (sample, recipe_of(refused, Settings(), columns)), silent)
    assert (how, "visits" in text, "bug" in text) == ("error", True, False)


def test_a_comparison_marks_its_front(tmp_path: Path) -> None:
    loaded = jobs.sample_of(read(example("table", tmp_path).path), 300)
    choices = {name: value for name, value in CHOSEN.items() if name not in ("k", "method")}
    steps: list[Any] = []
    found = jobs.compared(loaded, [3, 400], ["mdav"], choices, steps.append)
    assert [(one["k"], one["front"], one["error"] is None) for one in found["settings"]] == [
        (3, True, True),
        (400, False, False),
    ]
    assert found["best"] == (3, "mdav")
    assert steps[-2:] == [(2, 2), "measuring one k below and one k above"]
    assert [one["k"] for one in found["beside"]] == [2, 4]
    less, more = ((one["loss"], one["risk"]) for one in found["beside"])
    assert less[0] < found["settings"][0]["loss"] < more[0]


def test_what_budgets_buy_is_what_releases_with_them_say(tmp_path: Path) -> None:
    loaded = jobs.sample_of(read(example("table", tmp_path).path), 600)
    asked = Recipe.from_dict(CHOSEN | {"suppress": "3%", "suppress_cells": True})
    steps: list[Any] = []
    tried = jobs.budgets(loaded, asked, steps.append)
    assert [budget.asked for budget in tried] == ["", "1%", "2%", "5%"]  # 0.2 and 0.5 % of 600 are fewer than k = 5
    plain = release(loaded, measuring=False, ledger=False, **CHOSEN).report
    assert (tried[0].left_out, tried[0].loss) == (0, plain.groups[0].loss_percent)
    for budget in tried[1:]:
        bought = release(loaded, measuring=False, ledger=False, suppress=budget.asked, suppress_cells=True, **CHOSEN)
        facts = bought.report.left_out
        assert facts is not None
        assert (facts.records, facts.loss_percent, facts.loss_percent_charged) == (
            budget.left_out,
            budget.loss,
            budget.loss_with_them,
        )
        assert budget.left_out >= 5
    shares = [int(step.removesuffix(" %")) for step in steps]
    assert shares == sorted(shares)
    assert (shares[0], len(set(shares)) > len(tried)) == (0, True)
    few = jobs.sample_of(loaded, 60)
    with pytest.raises(CoveyError, match="needed: at least k"):
        jobs.budgets(few, asked, silent)


def test_a_budget_is_known_by_what_is_typed_and_stands_until_something_else_is_chosen() -> None:
    budgets = (Budget("", 0, 7.5, 7.5), Budget("1%", 30, 0.25, 38.0))
    settings = Settings(others={"scale": "rank"})
    bought = Bought(budgets, 3000, settings, {"age": "quasi"})
    assert [bought.place_of(typed) for typed in ("", "1%", "1 %", "30", "2%")] == [0, 1, 1, None, None]
    assert (
        bought.said(1)
        == "With 1 %, 30 of 3,000 records are not published, and the others lose 0.25 % instead of 7.50 %."
    )
    assert bought.said(0) == "Nobody is left out, and 7.50 % is lost."
    assert bought.fits(replace(settings, others={"scale": "rank", "suppress": "1%"}), {"age": "quasi"})
    assert not bought.fits(replace(settings, k=6), {"age": "quasi"})
    assert not bought.fits(settings, {"age": "keep"})
    cells = replace(bought, settings=Settings(others={"suppress_cells": "true"}))
    assert "published without their quasi-identifiers" in cells.said(1)


def test_a_release_replays_on_the_command_line_to_the_same_file(tmp_path: Path) -> None:
    source = example("table", tmp_path)
    recipe = Recipe.from_dict(CHOSEN)
    report = jobs.released(source, recipe, str(tmp_path), ".csv", silent)
    assert report["k_achieved"] == 5
    for download in TABLE.values():
        place = tmp_path / download.file.format(suffix=".csv")
        assert place.stat().st_size > 100
        assert download.public or (place.stat().st_mode & 0o077) == 0
    again = tmp_path / "again.csv"
    assert (
        main(["release", source.path, "--recipe", str(tmp_path / "recipe-internal.toml"), "-o", str(again), "--quiet"])
        == 0
    )
    assert again.read_bytes() == (tmp_path / "release.csv").read_bytes()
    public = json.loads((tmp_path / "certificate.json").read_text(encoding="utf-8"))
    assert "recipe" not in public


def test_a_release_in_another_format_and_one_that_is_none(tmp_path: Path) -> None:
    source = example("table", tmp_path)
    recipe = Recipe.from_dict(CHOSEN)
    jobs.released(source, recipe, str(tmp_path), ".parquet", silent)
    assert pq.read_table(tmp_path / "release.parquet").num_rows == 3000
    with pytest.raises(CoveyError, match="needed: one of .csv"):
        jobs.released(source, recipe, str(tmp_path), "/../../x.csv", silent)


def test_a_table_too_large_for_memory_is_released_from_file_to_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("covey.io.size.available", lambda: 10_000)
    monkeypatch.setattr(jobs, "read", None)
    report = jobs.released(example("table", tmp_path), Recipe.from_dict(CHOSEN), str(tmp_path), ".csv", silent)
    assert (report["k_achieved"] >= 5, report["engine"]) == (True, Engine.FILE)
    assert len(report["rows"].cells) == 10
    for download in TABLE.values():
        place = tmp_path / download.file.format(suffix=".csv")
        assert place.stat().st_size > 100
        assert download.public or (place.stat().st_mode & 0o077) == 0


def test_a_release_is_entered_in_the_ledger_unless_it_is_an_example(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = tmp_path / "ledger.jsonl"
    monkeypatch.setenv("COVEY_LEDGER", str(ledger))
    given = example("table", tmp_path)
    entries = []
    for number, source in enumerate((given, replace(given, is_example=False))):
        folder = tmp_path / str(number)
        folder.mkdir()
        jobs.released(source, Recipe.from_dict(CHOSEN), str(folder), ".csv", silent)
        entries.append(len(ledger.read_text(encoding="utf-8").splitlines()) if ledger.exists() else 0)
    assert entries == [0, 2]  # its key, and one release


@pytest.mark.parametrize("suffix", [".graphml", ".csv"])
def test_a_network_replays_on_the_command_line_to_the_same_file(tmp_path: Path, suffix: str) -> None:
    source = example("network", tmp_path)
    assert jobs.open_network(source, silent)[0][0] == "240 vertices and 795 edges"
    method = "carving" if suffix == ".csv" else "auto"
    chosen = {"lower": 6, "upper": 12, "connected": True, "time_limit": 0.0, "keep": ("triangles",)}
    found = jobs.released_network(source, START.with_changes(method=method, **chosen), str(tmp_path), suffix, silent)
    assert found["facts"]["smallest_cluster"] >= 6
    assert found["has_edges"] == (suffix == ".csv")
    assert all(drawing.startswith("<svg") for drawing in found["drawings"].values())
    line = found["command"].split()
    line[line.index("contacts.csv")] = source.path
    line[line.index("recipe-internal.toml")] = str(tmp_path / "recipe-internal.toml")
    line[line.index(f"release{suffix}")] = str(tmp_path / f"again{suffix}")
    assert main([*line[1:], "--quiet"]) == 0
    assert (tmp_path / f"again{suffix}").read_bytes() == (tmp_path / f"release{suffix}").read_bytes()


def test_a_recipe_of_a_network_comes_back_without_its_secret(tmp_path: Path) -> None:
    source = example("network", tmp_path)
    recipe = START.with_changes(
        lower=6, method="carving", keep=("degrees",), objective="sum", directed=False, counts="suppress"
    )
    jobs.released_network(source, recipe, str(tmp_path), ".csv", silent)
    for name in ("recipe-internal.toml", "certificate-internal.json"):
        assert read_network_recipe(tmp_path / name).seed is not None if name.endswith("toml") else True
        loaded = read_uploaded(tmp_path / name)
        assert loaded.as_dict() == recipe.with_changes(keep=loaded.keep).as_dict()
        assert list(loaded.keep) == ["degrees"]
    assert further(recipe) == ["Least possible: sum", "Edges have directions: no"]
    assert further(START) == []


def test_the_choices_of_a_network_are_said_in_words() -> None:
    """Each has a place on the page, or a sentence; none is called by its name in the recipe."""
    placed = {*SENTENCES, "method", "small_components", "counts", "keep", "seed"}
    assert placed | set(FURTHER) == set(NAMES)
    assert not placed & set(FURTHER)
    assert {title_of(name) for name in placed} & {name for name in NAMES if "_" in name} == set()
    assert not {text for text in (*FURTHER.values(), *KEPT.values(), *COUNTS.values()) if "_" in text}


def test_a_run_says_what_it_does() -> None:
    run = Run("Comparing", since=time.monotonic() - 3.0)
    assert (run.said, round(run.seconds)) == ("Comparing: starting", 3)
    run.hear("reading")
    assert run.said == "Comparing: reading"
    run.hear((3, 12))
    assert (run.step, run.share) == ("3 of 12 settings", 0.25)
    run.hear("grouping: 40 %")
    assert (run.step, run.share) == ("grouping: 40 %", 0.4)
    run.hear("measuring")
    assert run.share is None


def test_the_private_folder_is_private_and_goes() -> None:
    before = tempfile.gettempdir()
    with private_folder() as folder:
        assert folder.stat().st_mode & 0o777 == 0o700
        handle, name = tempfile.mkstemp()
        os.close(handle)
        assert Path(name).parent == folder == Path(os.environ["TMPDIR"])
    assert not folder.exists()
    assert tempfile.gettempdir() == before
    assert memory_budget() >= 2**24
