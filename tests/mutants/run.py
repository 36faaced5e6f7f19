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
from pathlib import Path
from typing import TYPE_CHECKING

from tests.mutants.log import Control, Log, Outcome, control_key
from tests.mutants.planted import ROOT, Mutant, mutants
from tests.mutants.workplace import Workplace, stale_kernels

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

LIMIT = 900.0  # seconds for the tests of a mutant
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
        place = self._places.get()
        try:
            outcome, why, seconds = self._tried(place, mutant)
        except (RuntimeError, ValueError, OSError) as error:
            outcome, why, seconds = Outcome.BROKEN, str(error), 0.0
        finally:
            self._places.put(place)
        self.log.add_mutant(mutant, outcome, why, seconds)
        return outcome, why

    def _tried(self, place: Workplace, mutant: Mutant) -> tuple[Outcome, str, float]:
        """Tests are run with the mutant first; of those that turn red, only the first one is run without it."""
        with place.planted(mutant):
            green, why, seconds = place.run(mutant.red, LIMIT, bytecode=False)
        if green is None:
            return Outcome.BROKEN, why, seconds
        if green:
            return Outcome.SURVIVED, why, seconds
        kernels = stale_kernels(mutant.file)
        if "::" in why and self._control(place, why, kernels).green:
            return Outcome.KILLED, why, seconds
        # A crash, an endless loop, or a test that is red when it is run alone: all of them without the mutant.
        controls = [self._control(place, test, kernels) for test in mutant.red]
        red = [control.why for control in controls if not control.green]
        if red:
            return Outcome.RED, red[0], seconds
        if seconds >= LIMIT and PATIENCE * sum(control.seconds for control in controls) > LIMIT:
            return Outcome.BROKEN, "its tests take too long to say that the mutant never ends", seconds
        return Outcome.KILLED, why, seconds

    def _control(self, place: Workplace, test: str, kernels: tuple[str, ...]) -> Control:
        """The same test without the mutant; once for all that name it."""
        key = control_key(test, kernels)
        with self._one_at_a_time[test, key]:
            known = self.log.controls.get((test, key))
            if known is None:
                with place.plain_kernels(kernels):
                    done = place.run((test,), LIMIT, bytecode=True)
                known = Control(green=done.green is True, why=done.why or test, seconds=done.seconds)
                self.log.controls[test, key] = known
                self.log.add_control(test, key, known)
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
        field = Field([Workplace(Path(folder) / str(number)) for number in range(asked.workers)], log)
        for mutant, (outcome, why) in zip(todo, pool.map(field.try_mutant, todo), strict=True):
            line = f"{mutant.name}: {outcome}" + (f" ({why})" if why else "")
            print(line, flush=True)
            if outcome is not Outcome.KILLED:
                alive.append(line)
    print(f"{len(chosen) - len(alive)} of {len(chosen)} mutants killed", *alive, sep="\n")
    return 1 if alive else 0


if __name__ == "__main__":
    sys.exit(main())
