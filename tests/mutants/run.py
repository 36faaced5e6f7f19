"""Plants each mutant of this folder in a copy of the project and sees the tests that it names turn red.

usage: python -m tests.mutants.run [--since REVISION] [--room ROOM ...] [--log FILE] [--workers N] [NAME ...]
With a revision: those whose file, or one of whose tests, has changed since. What was killed before, with the same text of file and
tests, is not run again: as `killed.json` beside this file, or a log, knows. What turns red is run again without the mutant: a test that is red by itself kills none.
"""

from __future__ import annotations

import argparse
import queue
import subprocess
import sys
import tempfile
import threading
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from tests.mutants.log import Control, Log, Outcome, control_key
from tests.mutants.planted import ROOT, Mutant, mutants
from tests.mutants.workplace import Run, Workplace, stale_kernels

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from concurrent.futures import Executor

LIMIT = 300.0  # seconds for the tests of a mutant
BATCH = 25  # mutants whose tests are then run without them at one go
PATIENCE = 5  # a mutant never ends if its tests, without it, would be done so many times


class Field:
    """Workplaces for several mutants at a time, and what is known of the tests without any."""

    def __init__(self, places: Iterable[Workplace], log: Log) -> None:
        self.log = log
        self._places: queue.Queue[Workplace] = queue.Queue()
        for place in places:
            self._places.put(place)
        self._one_at_a_time: defaultdict[tuple[str, str], threading.Lock] = defaultdict(threading.Lock)

    def try_mutant(self, mutant: Mutant) -> tuple[Outcome, str]:
        """What becomes of it, and the test that says so."""
        return self.judge(mutant, self.plant(mutant))

    def try_all(self, chosen: Sequence[Mutant], pool: Executor) -> Iterator[tuple[Mutant, Outcome, str]]:
        """The same for many: what turned red is run without mutants at one go, a batch after the other, while further mutants are planted."""
        planted = zip(chosen, pool.map(self.plant, chosen), strict=True)
        while batch := list(islice(planted, BATCH)):
            built = {run.why for mutant, run in batch if stale_kernels(mutant.file)}
            self._know_green({run.why for _, run in batch if run.green is False and "::" in run.why} - built)
            for mutant, run in batch:
                yield mutant, *self.judge(mutant, run)

    def plant(self, mutant: Mutant) -> Run:
        """Its tests, with the mutant in place."""
        with self._place() as place:
            try:
                with place.planted(mutant):
                    return place.run(mutant.red, LIMIT, bytecode=False)
            except (RuntimeError, ValueError, OSError) as error:
                return Run(green=None, why=str(error), seconds=0.0)

    def judge(self, mutant: Mutant, run: Run) -> tuple[Outcome, str]:
        """What the run says of the mutant; of the tests that turned red, only the first one is run without it."""
        with self._place() as place:
            try:
                outcome, why = self._judged(place, mutant, run)
            except (RuntimeError, ValueError, OSError) as error:
                outcome, why = Outcome.BROKEN, str(error)
        self.log.add_mutant(mutant, outcome, why, run.seconds)
        return outcome, why

    @contextmanager
    def _place(self) -> Iterator[Workplace]:
        place = self._places.get()
        try:
            yield place
        finally:
            self._places.put(place)

    def _judged(self, place: Workplace, mutant: Mutant, run: Run) -> tuple[Outcome, str]:
        green, why, seconds = run
        if green is None:
            return Outcome.BROKEN, why
        if green:
            return Outcome.SURVIVED, why
        kernels = stale_kernels(mutant.file)
        if "::" in why and self._control(place, why, kernels).green:
            return Outcome.KILLED, why
        # A crash, an endless loop, or a test that is red when it is run alone: all of them without the mutant.
        controls = [self._control(place, test, kernels) for test in mutant.red]
        red = [control.why for control in controls if not control.green]
        if red:
            return Outcome.RED, red[0]
        if seconds >= LIMIT and PATIENCE * sum(control.seconds for control in controls) > LIMIT:
            return Outcome.BROKEN, "its tests take too long to say that the mutant never ends"
        return Outcome.KILLED, why

    def _know_green(self, tests: set[str]) -> None:
        """Run those that are not known yet at one go. If one of them is red, each is run alone when it is asked for."""
        unknown = sorted(test for test in tests if (test, control_key(test, ())) not in self.log.controls)
        if not unknown:
            return
        with self._place() as place:
            done = place.run(tuple(unknown), LIMIT, bytecode=True)
        if done.green:
            for test in unknown:
                self._enter(test, control_key(test, ()), Control(green=True, why=test, seconds=done.seconds))

    def _enter(self, test: str, key: str, control: Control) -> None:
        self.log.controls[test, key] = control
        self.log.add_control(test, key, control)

    def _control(self, place: Workplace, test: str, kernels: tuple[str, ...]) -> Control:
        """The same test without the mutant; once for all that name it."""
        key = control_key(test, kernels)
        with self._one_at_a_time[test, key]:
            known = self.log.controls.get((test, key))
            if known is None:
                with place.plain_kernels(kernels):
                    done = place.run((test,), LIMIT, bytecode=True)
                known = Control(green=done.green is True, why=done.why or test, seconds=done.seconds)
                self._enter(test, key, known)
        return known


def chosen_mutants(names: Sequence[str], rooms: Sequence[str], since: str | None) -> list[Mutant]:
    """Those of these names or rooms, or all; with a revision, those whose file or tests have changed since."""
    everything = mutants()
    unknown = {*names, *rooms} - {mutant.name for mutant in everything} - {mutant.room for mutant in everything}
    if unknown:
        sys.exit(f"no mutants of these names: {', '.join(sorted(unknown))}")
    chosen = [mutant for mutant in everything if not (names or rooms) or mutant.name in names or mutant.room in rooms]
    if since is None:
        return chosen
    command = ["git", "diff", "--name-only", since]
    changed = set(subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines())
    return [mutant for mutant in chosen if changed & {mutant.file, *(test.split("::")[0] for test in mutant.red)}]


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--since", default=None)
    parser.add_argument("--room", nargs="*", default=[], help="files of this folder, such as `kernels`")
    parser.add_argument("--log", type=Path, default=None)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("names", nargs="*")
    return parser.parse_args()


def main() -> int:
    asked = options()
    log = Log(asked.log, Path(__file__).parent / "killed.json")
    chosen = chosen_mutants(asked.names, asked.room, asked.since or None)
    todo = [mutant for mutant in chosen if not log.knows_killed(mutant)]
    todo.sort(
        key=lambda mutant: (not stale_kernels(mutant.file), mutant.red, mutant.file)
    )  # those that are built first
    print(f"{len(chosen) - len(todo)} of {len(chosen)} are known as killed", flush=True)
    alive: list[str] = []
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder, ThreadPoolExecutor(asked.workers) as pool:
        places = [Workplace(Path(folder) / str(number)) for number in range(asked.workers + 1)]  # one to judge in
        field = Field(places, log)
        for mutant, outcome, why in field.try_all(todo, pool):
            line = f"{mutant.name}: {outcome}" + (f" ({why})" if why else "")
            print(line, flush=True)
            if outcome is not Outcome.KILLED:
                alive.append(line)
    print(f"{len(chosen) - len(alive)} of {len(chosen)} mutants killed", *alive, sep="\n")
    return 1 if alive else 0


if __name__ == "__main__":
    sys.exit(main())
