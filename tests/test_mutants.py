"""Every mutant can still be planted: its old text stands exactly once in its file, and the tests that it names exist."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.mutants.log import Log, Outcome
from tests.mutants.planted import ROOT, Mutant, mutants
from tests.mutants.run import Field
from tests.mutants.workplace import Run, Workplace, stale_kernels

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MUTANT = Mutant("covey", "a-name", "src/covey/errors.py", ("tests/test_mutants.py",), "class", "clas")


@pytest.mark.parametrize("mutant", mutants(), ids=lambda mutant: mutant.name)
def test_a_mutant_can_be_planted(mutant: Mutant) -> None:
    text = (ROOT / mutant.file).read_text(encoding="utf-8")
    assert text.count(mutant.old) == 1, f"{mutant.file} has changed; plant {mutant.name} anew"
    assert mutant.new != mutant.old
    assert mutant.red
    for test in mutant.red:
        path, *names = test.split("::")
        assert (ROOT / path).exists(), test
        if names:
            assert f"{names[-1].split('[')[0]}(" in (ROOT / path).read_text(encoding="utf-8"), test


def test_names_are_given_once() -> None:
    assert [name for name, number in Counter(mutant.name for mutant in mutants()).items() if number > 1] == []


class Place(Workplace):
    """A workplace where nothing is run: the tests are green or not, without the mutant and with it."""

    def __init__(self, *, without: bool | None, planted: bool | None) -> None:
        self.answers, self.runs = (without, planted), 0

    @contextmanager
    def plain_kernels(self, kernels: tuple[str, ...]) -> Iterator[None]:
        """Nothing is built."""
        assert kernels == ()
        yield

    @contextmanager
    def planted(self, mutant: Mutant) -> Iterator[None]:
        """Nothing is planted."""
        assert mutant.file == MUTANT.file
        yield

    def run(self, tests: tuple[str, ...], limit: float, *, bytecode: bool) -> Run:
        """As was said; only the control may write bytecode."""
        assert tests == MUTANT.red
        assert limit > 0
        self.runs += 1
        return Run(green=self.answers[0 if bytecode else 1], why="", seconds=1.0)


@pytest.mark.parametrize(
    ("without", "planted", "outcome"),
    [
        (True, False, Outcome.KILLED),
        (True, True, Outcome.SURVIVED),
        (False, False, Outcome.RED),
        (None, False, Outcome.RED),
        (True, None, Outcome.BROKEN),
    ],
)
def test_what_becomes_of_a_mutant(*, without: bool | None, planted: bool | None, outcome: Outcome) -> None:
    assert Field([Place(without=without, planted=planted)], Log(None)).try_mutant(MUTANT)[0] is outcome


class Named(Place):
    """A workplace whose mutant turns one test red, which alone is green or not, as all together are."""

    def __init__(self, *, alone: bool, together: bool) -> None:
        super().__init__(without=together, planted=False)
        self.alone, self.asked = alone, list[tuple[str, ...]]()

    def run(self, tests: tuple[str, ...], limit: float, *, bytecode: bool) -> Run:
        """The mutant's run names the test that turned red."""
        self.asked.append(tests)
        if tests == ("tests/a.py::b[c d]",):
            return Run(green=self.alone, why="", seconds=1.0)
        return super().run(tests, limit, bytecode=bytecode)._replace(why="" if bytecode else "tests/a.py::b[c d]")


@pytest.mark.parametrize(
    ("alone", "together", "outcome"),
    [(True, False, Outcome.KILLED), (False, True, Outcome.KILLED), (False, False, Outcome.RED)],
)
def test_only_what_turned_red_is_run_without_the_mutant(*, alone: bool, together: bool, outcome: Outcome) -> None:
    """Unless it is red alone: then all of them."""
    place = Named(alone=alone, together=together)
    assert Field([place], Log(None)).try_mutant(MUTANT)[0] is outcome
    assert place.asked == [MUTANT.red, ("tests/a.py::b[c d]",), *([] if alone else [MUTANT.red])]


class Batch(Place):
    """A workplace where each mutant turns a test of its own red, and some tests are red without any."""

    def __init__(self, *red_alone: str) -> None:
        super().__init__(without=True, planted=False)
        self.red_alone, self.controls = set(red_alone), list[tuple[str, ...]]()

    def run(self, tests: tuple[str, ...], limit: float, *, bytecode: bool) -> Run:
        """With a mutant: red, by the test of its number."""
        assert limit > 0
        if not bytecode:
            self.runs += 1
            return Run(green=False, why=f"tests/a.py::test_{self.runs}", seconds=1.0)
        self.controls.append(tests)
        return Run(green=not self.red_alone & {*tests}, why="", seconds=1.0)


@pytest.mark.parametrize("red_alone", [(), ("tests/a.py::test_2", MUTANT.red[0])])
def test_what_many_turn_red_is_run_without_them_at_one_go(red_alone: tuple[str, ...]) -> None:
    """Where one of them is red by itself, each is run alone."""
    place, three = Batch(*red_alone), [replace(MUTANT, name=f"number {place}") for place in range(3)]
    with ThreadPoolExecutor(1) as pool:
        outcomes = [outcome for _, outcome, _ in Field([place], Log(None)).try_all(three, pool)]
    assert outcomes == [Outcome.KILLED, Outcome.RED if red_alone else Outcome.KILLED, Outcome.KILLED]
    together = tuple(f"tests/a.py::test_{number}" for number in (1, 2, 3))
    alone = [(together[0],), (together[1],), MUTANT.red, (together[2],)]
    assert place.controls == [together, *(alone if red_alone else [])]


def test_a_run_goes_on_where_the_log_ends(tmp_path: Path) -> None:
    """What was killed is not run again, unless it has changed; nor are the tests without it."""
    path = tmp_path / "log"
    Field([Place(without=True, planted=False)], Log(path)).try_mutant(MUTANT)
    Field([Place(without=True, planted=True)], Log(path)).try_mutant(replace(MUTANT, name="another"))
    log = Log(path)
    assert log.knows_killed(MUTANT)
    assert not log.knows_killed(replace(MUTANT, new="klass"))
    assert not log.knows_killed(replace(MUTANT, name="another"))
    place = Place(without=False, planted=False)
    assert Field([place], log).try_mutant(MUTANT)[0] is Outcome.KILLED
    assert place.runs == 1


def test_the_list_of_killed_mutants_is_kept_with_the_project(tmp_path: Path) -> None:
    """Who survives, with the text of file and tests that it has today, is struck from it."""
    kept = tmp_path / "killed.json"
    Field([Place(without=True, planted=False)], Log(None, kept)).try_mutant(MUTANT)
    assert Log(None, kept).knows_killed(MUTANT)
    assert not Log(None, kept).knows_killed(replace(MUTANT, new="klass"))
    Field([Place(without=True, planted=True)], Log(None, kept)).try_mutant(MUTANT)
    assert not Log(None, kept).knows_killed(MUTANT)


@pytest.mark.parametrize(
    ("file", "kernels"),
    [
        ("src/covey/_kernels/space/mdav.hpp", ("space",)),
        ("src/covey/_kernels/line.cpp", ("line",)),
        ("src/covey/_kernels/poll.hpp", ("line", "diverse", "space", "network", "treewidth", "uniques")),
        ("src/covey/_kernels/line.pyi", ()),
        ("src/covey/errors.py", ()),
    ],
)
def test_which_kernels_are_built_again(file: str, kernels: tuple[str, ...]) -> None:
    assert stale_kernels(file) == kernels
