"""Sessions: whose they are, what a failed opening leaves, which previews are made; with workers that only pretend."""

from __future__ import annotations

import asyncio
import contextlib
import functools
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from covey.columns.codes import Sign
from covey.columns.exposure import ExposedError
from covey.columns.profile import Column
from covey.errors import CoveyError
from covey.web import previews
from covey.web import session as session_module
from covey.web.problems import problems
from covey.web.session import Session
from covey.web.source import Source
from covey.web.worker import CancelledRunError, Spare

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

COLUMNS = [Column("age", "whole numbers", 100, 60, 0, ()), Column("name", "text", 100, 100, 0, ())]
SOURCE = Source("somewhere.csv", "people.csv", "table", ".csv")


class Pretending:
    """A worker whose jobs take until they are let go."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, tuple[Any, ...]]] = []
        self.running: asyncio.Future[Any] | None = None
        self.ended = 0

    async def run(self, job: str, *given: Any, tell: Any = None) -> Any:
        self.asked.append((job, given))
        tell("grouping")
        self.running = asyncio.get_running_loop().create_future()
        return await self.running

    def let_go(self, answer: Any) -> None:
        assert self.running is not None
        if isinstance(answer, Exception):
            self.running.set_exception(answer)
        else:
            self.running.set_result(answer)

    def end(self) -> None:
        self.ended += 1
        if self.running is not None and not self.running.done():
            self.running.get_loop().call_soon_threadsafe(self.let_go, CancelledRunError("the run was cancelled"))

    @property
    def previewed(self) -> list[int]:
        return [given[1].k for job, given in self.asked if job == "preview"]


def made(folder: Path) -> tuple[Session, Pretending, Pretending]:
    session = Session("me", folder, Spare())
    near, far = Pretending(), Pretending()
    session.near, session.far = near, far  # type: ignore[assignment]
    return session, near, far


def new_folder(session: Session, name: str) -> Path:
    folder = session.folder / name
    folder.mkdir()
    return folder


async def until(holds: Callable[[], Any]) -> None:
    async with asyncio.timeout(10):
        while not holds():  # noqa: ASYNC110
            await asyncio.sleep(0.002)


def play(folder: Path, scene: Callable[[Session, Pretending, Pretending], Awaitable[None]]) -> None:
    """Play a scene with a session, its worker for previews and that for runs."""

    async def all_of_it() -> None:
        session, near, far = made(folder)
        await scene(session, near, far)
        for task in list(session.tasks):
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task

    asyncio.run(all_of_it())


async def opened(session: Session, far: Pretending) -> None:
    session.open(SOURCE)
    await until(lambda: far.running is not None)
    far.let_go((COLUMNS, None, []))
    await until(lambda: session.source is SOURCE)


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(previews, "DEBOUNCE", 0.02)


def test_opening_suggests_roles_and_asks_for_a_preview(tmp_path: Path) -> None:
    async def scene(session: Session, near: Pretending, far: Pretending) -> None:
        await opened(session, far)
        assert session.roles == {"age": "quasi", "name": "drop"}
        assert (session.step, session.rows, session.run) == ("columns", 100, None)
        await until(lambda: near.previewed == [5])
        near.let_go({"k_achieved": 5})
        await until(lambda: session.previews.run is None)
        assert session.previews.report == {"k_achieved": 5}

    play(tmp_path, scene)


def test_a_table_is_read_again_with_what_stands_for_missing_values(tmp_path: Path) -> None:
    """A choice that decides what a column holds is known to the reader; where it fails, the choice is taken back."""

    async def scene(session: Session, near: Pretending, far: Pretending) -> None:
        await opened(session, far)
        session.set_choice("importance", "age", 2)
        assert len(far.asked) == 1  # nothing to read again
        for fails in (True, False):
            before = len(far.asked)
            session.set_choice("missing_codes", "age", ("99",))
            await until(functools.partial(lambda seen: len(far.asked) > seen, before))
            session.set_choice("missing_codes", "age", ("98",))  # one at a time
            assert "still running" in session.message
            job, (source, declared) = far.asked[-1]
            assert (job, source, declared.missing_codes) == ("open_table", SOURCE, {"age": ("99",)})
            gaps = [Column("age", "whole numbers", 100, 59, 3, ()), COLUMNS[1]]
            far.let_go(CoveyError("no such codes") if fails else (gaps, None, ["3 are missing"]))
            await until(lambda: session.run is None)
            assert session.settings.of("missing_codes", "age") == (None if fails else ("99",))
        assert (session.columns[0].missing, session.notes) == (3, ["3 are missing"])
        assert session.roles == {"age": "quasi", "name": "drop"}
        assert session.recipe().missing == "own-group"
        await until(lambda: near.previewed)

    play(tmp_path, scene)


def test_columns_that_a_preview_was_refused_for_are_known_and_accepted_at_the_column(tmp_path: Path) -> None:
    async def scene(session: Session, near: Pretending, far: Pretending) -> None:
        await opened(session, far)
        session.give("name", "keep")
        await until(lambda: near.running is not None)
        near.let_go(ExposedError("refused", {("name",): ["is nearly unique"]}))
        await until(lambda: session.previews.run is None)
        assert session.doubtful == ["name"]
        (problem,) = problems(COLUMNS[1], "keep", session.settings, session.previews.exposed)
        assert problem.sentence == "It is published as it is, and may undo the grouping: it is nearly unique."
        assert session.decided()  # the release itself is judged on all records
        session.repair(COLUMNS[1], problem.repairs[0])
        assert (session.doubtful, session.recipe().accept) == ([], ("name",))
        await until(lambda: len(near.previewed) == 2)
        near.let_go({"k_achieved": 5})
        await until(lambda: session.previews.run is None)
        assert session.previews.exposed == {}

    play(tmp_path, scene)


def test_nothing_is_released_while_a_column_is_in_doubt(tmp_path: Path) -> None:
    async def scene(session: Session, near: Pretending, far: Pretending) -> None:
        session.open(SOURCE)
        await until(lambda: far.running is not None)
        ward = Column("ward", "whole numbers", 100, 4, 0, (), codes=(Sign.FEW,))
        far.let_go(([*COLUMNS, ward], None, []))
        await until(lambda: session.source is SOURCE)
        assert "A column is in doubt: ward" in session.previews.message
        with pytest.raises(CoveyError, match="in doubt: ward"):
            session.decided()
        session.repair(ward, problems(ward, "quasi", session.settings)[0].repairs[0])
        assert session.decided().nominal == ("ward",)
        await until(lambda: near.previewed == [5])
        session.give_all(["ward", "age"], "keep")
        assert session.roles == {"age": "keep", "name": "drop", "ward": "keep"}
        assert session.identifiers == ["name"]
        session.give("name", "keep")
        assert session.identifiers == ["name"]  # it seems to name a record, whatever its role

    play(tmp_path, scene)


def test_an_opening_that_fails_leaves_what_was_open(tmp_path: Path) -> None:
    async def scene(session: Session, _near: Pretending, far: Pretending) -> None:
        await opened(session, far)
        session.give("age", "keep")
        session.open(Source("broken.csv", "broken.csv", "table", ".csv"))
        await until(lambda: len(far.asked) == 2)
        far.let_go(CoveyError("no table"))
        await until(lambda: session.run is None)
        assert (session.source, session.message, session.roles["age"]) == (SOURCE, "no table", "keep")

    play(tmp_path, scene)


def test_uploads_that_are_not_needed_any_more_go(tmp_path: Path) -> None:
    async def scene(session: Session, _near: Pretending, far: Pretending) -> None:
        paths = [session.folder / f"upload-{number}.csv" for number in range(3)]
        for path, answer in zip(paths, [(COLUMNS, None, []), CoveyError("no"), (COLUMNS, None, [])], strict=True):
            path.write_text("x")
            before = len(far.asked)
            session.open(Source(str(path), "x.csv", "table", ".csv"))
            await until(functools.partial(lambda seen: len(far.asked) > seen, before))
            far.let_go(answer)
            await until(lambda: session.run is None)
        assert [path.exists() for path in paths] == [False, False, True]

    play(tmp_path, scene)


def test_only_the_last_of_quick_changes_is_previewed(tmp_path: Path) -> None:
    async def scene(session: Session, near: Pretending, far: Pretending) -> None:
        await opened(session, far)
        for k in range(3, 12):
            session.choose(k=k)
        await until(lambda: near.previewed)
        assert near.previewed == [11]
        session.choose(k=12)
        session.choose(k=13)  # while one is running
        near.let_go({"k_achieved": 11})
        await until(lambda: len(near.previewed) == 2)
        near.let_go({"k_achieved": 13})
        await until(lambda: session.previews.run is None)
        assert (near.previewed, session.previews.report, near.ended) == ([11, 13], {"k_achieved": 13}, 0)

    play(tmp_path, scene)


def test_a_preview_waits_until_nothing_was_changed_for_a_while(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(previews, "time", SimpleNamespace(monotonic=lambda: now[0]))

    async def scene(session: Session, near: Pretending, far: Pretending) -> None:
        await opened(session, far)
        for k in (6, 7, 8):
            now[0] += 0.5 * previews.DEBOUNCE
            session.choose(k=k)
            await asyncio.sleep(3 * previews.DEBOUNCE)  # long enough, but for the clock
        assert near.previewed == []
        now[0] += 1.5 * previews.DEBOUNCE
        await until(lambda: near.previewed)
        assert near.previewed == [8]

    play(tmp_path, scene)


def test_a_long_preview_that_is_out_of_date_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(previews, "PATIENCE", 0.0)

    async def scene(session: Session, near: Pretending, far: Pretending) -> None:
        await opened(session, far)
        await until(lambda: near.previewed == [5])
        session.choose(k=6)
        await until(lambda: near.previewed == [5, 6])
        assert near.ended == 1
        near.end()  # late, for a preview that is gone: the new one is begun again
        await until(lambda: near.previewed == [5, 6, 6])
        near.let_go({"k_achieved": 6})
        await until(lambda: session.previews.run is None)
        assert (session.previews.report, session.previews.message) == ({"k_achieved": 6}, "")

    play(tmp_path, scene)


def test_a_preview_that_is_cancelled_stays_so(tmp_path: Path) -> None:
    async def scene(session: Session, near: Pretending, far: Pretending) -> None:
        await opened(session, far)
        await until(lambda: near.previewed == [5])
        session.previews.stop()
        await until(lambda: session.previews.run is None)
        assert "cancelled" in session.previews.message
        assert near.previewed == [5]
        session.choose(k=7)
        await until(lambda: near.previewed == [5, 7])

    play(tmp_path, scene)


def test_closing_a_table_removes_its_files(tmp_path: Path) -> None:
    async def scene(session: Session, _near: Pretending, far: Pretending) -> None:
        path = session.folder / "upload-1.csv"
        path.write_text("x")
        session.open(Source(str(path), "x.csv", "table", ".csv"))
        await until(lambda: far.running is not None)
        far.let_go((COLUMNS, None, []))
        await until(lambda: session.run is None)
        session.take_release({"folder": new_folder(session, "release")})
        assert len(list(session.folder.iterdir())) == 2
        session.leave()
        assert (session.source, session.roles, session.released, session.step) == (None, {}, None, "open")
        assert list(session.folder.iterdir()) == []

    play(tmp_path, scene)


def test_another_table_has_previews_of_its_own(tmp_path: Path) -> None:
    async def scene(session: Session, near: Pretending, far: Pretending) -> None:
        await opened(session, far)
        await until(lambda: near.previewed == [5])
        old = session.previews
        session.open(Source("other.csv", "other.csv", "table", ".csv"))
        await until(lambda: len(far.asked) == 2)
        far.let_go((COLUMNS, None, []))
        await until(lambda: session.source is not SOURCE and len(near.previewed) == 2)
        near.let_go({"k_achieved": 5})
        await until(lambda: session.previews.run is None and old.run is None)
        assert (old.report, session.previews.report) == (None, {"k_achieved": 5})

    play(tmp_path, scene)


def test_a_refused_choice_does_not_get_the_preview_of_an_earlier_one(tmp_path: Path) -> None:
    async def scene(session: Session, near: Pretending, far: Pretending) -> None:
        await opened(session, far)
        await until(lambda: near.previewed == [5])
        session.choose(k=1)
        assert "k is 1; needed: at least 2" in session.previews.message
        await until(lambda: session.previews.run is None)
        assert (session.previews.report, near.ended) == (None, 1)
        assert "k is 1; needed: at least 2" in session.previews.message
        session.choose(k=6)
        await until(lambda: near.previewed == [5, 6])
        near.let_go({"k_achieved": 6})
        await until(lambda: session.previews.run is None)
        assert (session.previews.report, session.previews.message) == ({"k_achieved": 6}, "")

    play(tmp_path, scene)


def test_a_run_that_fails_while_another_step_is_shown_is_said_there_and_where_it_began(tmp_path: Path) -> None:
    async def scene(session: Session, _near: Pretending, far: Pretending) -> None:
        await opened(session, far)
        for failed in (True, False):
            session.go("release")
            session.start("Releasing", "released", then=lambda _found: None)
            await until(functools.partial(lambda before: len(far.asked) > before, 1 if failed else 2))
            session.go("protect")
            far.let_go(CoveyError("no such groups") if failed else "done")
            await until(lambda: session.run is None)
            assert (session.ended, session.message) == ("release", "")
            session.go("columns")
            assert session.ended == "release"
            session.go("release")
            assert (session.ended, session.message) == ("", "no such groups" if failed else "")
            session.go("columns")
        session.go("release")
        assert session.message == ""  # it was seen

    play(tmp_path, scene)


def test_without_a_quasi_identifier_there_is_a_sentence_instead(tmp_path: Path) -> None:
    async def scene(session: Session, near: Pretending, far: Pretending) -> None:
        await opened(session, far)
        await until(lambda: near.previewed == [5])
        near.let_go(CoveyError("k is more than there are records"))
        await until(lambda: session.previews.run is None)
        assert session.previews.message == "k is more than there are records"
        session.give("age", "drop")
        assert "no column is a quasi-identifier" in session.previews.message
        assert session.previews.report is None

    play(tmp_path, scene)


def test_one_run_at_a_time_and_a_cancelled_one_gives_nothing(tmp_path: Path) -> None:
    async def scene(session: Session, _near: Pretending, far: Pretending) -> None:
        await opened(session, far)
        found: list[Any] = []
        session.start("Releasing", "released", then=found.append)
        session.start("Comparing", "compared", then=found.append)
        await until(lambda: session.run is not None and session.run.step == "grouping")
        assert session.run is not None
        assert session.run.said.startswith("Releasing: grouping")
        session.cancel()
        await until(lambda: session.run is None)
        assert (found, "cancelled" in session.message, session.ended) == ([], True, "")
        assert [job for job, _ in far.asked] == ["open_table", "released"]

    play(tmp_path, scene)


def test_what_a_cancelled_release_wrote_is_removed_and_that_of_a_finished_one_is_offered(tmp_path: Path) -> None:
    async def scene(session: Session, _near: Pretending, far: Pretending) -> None:
        await opened(session, far)
        for finished in (False, True):
            recipe = session.recipe()
            session.release("released", recipe, ".csv", asked="a recipe")
            session.release("released", recipe, ".csv")  # one at a time
            (folder,) = session.folder.iterdir()
            (folder / "half-written").write_text("x")
            so_far = len(far.asked)
            await until(functools.partial(lambda before: len(far.asked) > before, so_far))
            if finished:
                far.let_go({"classes": 7})
            else:
                session.cancel()
            await until(lambda: session.run is None)
            assert folder.exists() is finished
        assert session.released == {"classes": 7, "suffix": ".csv", "folder": folder, "asked": "a recipe"}
        assert far.asked[-1] == ("released", (SOURCE, recipe, str(folder), ".csv"))

    play(tmp_path, scene)


def test_a_second_release_replaces_the_first(tmp_path: Path) -> None:
    session, _, _ = made(tmp_path)
    folders = [new_folder(session, name) for name in ("first", "second")]
    session.take_release({"folder": folders[0]})
    assert folders[0].exists()
    session.take_release({"folder": folders[1]})
    assert [folder.exists() for folder in folders] == [False, True]


def test_processes_end_when_the_last_run_of_a_closed_tab_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_module, "REST", 0.01)

    async def scene(session: Session, near: Pretending, far: Pretending) -> None:
        await opened(session, far)
        await until(lambda: near.previewed == [5])
        session.start("Releasing", "released", then=lambda _found: None)
        await until(lambda: len(far.asked) == 2)
        session.rest_later()
        await asyncio.sleep(0.05)
        assert (near.ended, far.ended) == (0, 0)
        near.let_go({"k_achieved": 5})
        far.let_go("done")
        await until(lambda: (near.ended, far.ended) == (1, 1))

    play(tmp_path, scene)


def test_idle_processes_end_when_nobody_looks(tmp_path: Path) -> None:
    session, near, far = made(tmp_path)
    session.clients = 1
    session.rest()
    assert (near.ended, far.ended) == (0, 0)
    session.clients = 0
    session.rest()
    assert (near.ended, far.ended) == (1, 1)
