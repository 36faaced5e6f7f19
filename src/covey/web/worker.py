"""`Worker`: a process that computes for the page, so that the page never freezes; ended to cancel what it does."""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import multiprocessing
import os
import signal
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from covey.columns.exposure import ExposedError
from covey.errors import CoveyError
from covey.web.source import Source

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

    from covey.web.runs import Step

    Tell = Callable[[Step], object]

JOBS = "covey.web.jobs"
THREADS = 64
NICE = 10
"""Computations step back behind the page and the browser."""


class CancelledRunError(CoveyError):
    """A run was ended before it was done."""


class Spare:
    """A process that has loaded all it needs and waits for its first job: nobody waits for a process to start.

    It costs the memory of one process. Who takes it makes room for the next, which starts beside.
    """

    def __init__(self) -> None:
        self._context = multiprocessing.get_context("spawn")
        self._lock = threading.Lock()
        self._waiting: tuple[BaseProcess, Connection] | None = None
        self._closed = False
        self.threads = ThreadPoolExecutor(THREADS, "covey-web")
        """Those who wait for workers: apart from the others of the server, so that a cancel never waits for a run."""

    def take(self) -> tuple[BaseProcess, Connection]:
        """A process and the pipe to it."""
        with self._lock:
            taken, self._waiting = self._waiting, None
            if taken is None or not taken[0].is_alive():
                taken = self._new()
        threading.Thread(target=self.fill, daemon=True).start()
        return taken

    def fill(self) -> None:
        """Have one ready."""
        with self._lock:
            if self._waiting is None and not self._closed:
                self._waiting = self._new()

    def _new(self) -> tuple[BaseProcess, Connection]:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=serve, args=(theirs,), daemon=True)
        process.start()
        theirs.close()
        return process, ours

    def close(self) -> None:
        """End the one that waits, and make no more."""
        with self._lock:
            waiting, self._waiting, self._closed = self._waiting, None, True
        if waiting is not None:
            end_process(waiting[0])


class Worker:
    """One process, one job at a time. It is taken when it is first needed, and another one after it was ended.

    `run` sends the name of a function of `covey.web.jobs` and what it takes, and waits in a thread of its own. Errors come back as
    sentences: what a computation failed with may hold values of the table.
    """

    def __init__(self, spare: Spare) -> None:
        self._spare = spare
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None
        self._lock, self._busy = threading.Lock(), threading.Lock()

    def start(self) -> Connection:
        """Take a process, if there is none; returns the pipe to it."""
        with self._lock:
            if self._process is None or self._pipe is None or not self._process.is_alive():
                self._process, self._pipe = self._spare.take()
            return self._pipe

    async def run(self, job: str, *given: object, tell: Tell | None = None) -> Any:
        """The result of a job; `tell` is called with its steps, in another thread."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._spare.threads, self._run, job, given, tell or (lambda _step: None))

    def _run(self, job: str, given: tuple[Any, ...], tell: Tell) -> Any:
        with self._busy:  # one job at a time; who asks meanwhile waits
            pipe = self.start()
            try:
                return _talk(pipe, job, given, tell)
            except (EOFError, OSError):
                if self._pipe is pipe:  # nobody ended it
                    self.end()
                    msg = "the computation ended by itself; the memory may not be enough for it; take a smaller table"
                    raise CoveyError(msg) from None
                raise CancelledRunError("the run was cancelled; nothing was released") from None

    def end(self) -> None:
        """End the process and whatever it does."""
        with self._lock:
            process, self._process, self._pipe = self._process, None, None
        if process is not None:
            end_process(process)


def _talk(pipe: Connection, job: str, given: tuple[Any, ...], tell: Tell) -> Any:
    """Ask for a job, and hear of it until it is done."""
    pipe.send((job, given))
    while True:
        kind, value = pipe.recv()
        if kind == "done":
            return value
        if kind == "exposed":
            raise ExposedError(*value)
        if kind == "error":
            raise CoveyError(value)
        tell(value)


def end_process(process: BaseProcess) -> None:
    """End a process, gently and then not."""
    process.terminate()
    process.join(2.0)
    if process.is_alive():
        process.kill()
        process.join(2.0)


def serve(pipe: Connection) -> None:
    """What the process does: jobs, one after the other, until nobody is left who asks."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the page ends its workers
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    jobs = importlib.import_module(JOBS)
    with contextlib.suppress(CoveyError):  # said when something is asked of it
        jobs.warm()
    with contextlib.suppress(AttributeError, OSError):
        os.nice(NICE)
    with contextlib.suppress(EOFError, OSError):
        while True:
            job, given = pipe.recv()
            pipe.send(answer(jobs, job, given, lambda step: pipe.send(("step", step))))


def answer(jobs: object, job: str, given: tuple[Any, ...], tell: Tell) -> tuple[str, Any]:
    """The result of one job, or its error as a sentence, in which a file has the name that its user gave it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what they say stands in the notes of the report
            return "done", getattr(jobs, job)(*given, tell)
    except ExposedError as error:
        return "exposed", (str(error), error.refused)
    except CoveyError as error:
        return "error", _with_its_name(str(error), given)
    except MemoryError:
        return "error", "the memory is not enough for this; take a smaller table"
    except OSError:  # of the pipe, too: then nobody hears this
        return "error", "a file could not be read or written; is the disk full?"
    except Exception as error:  # noqa: BLE001
        return "error", f"a bug in covey ({type(error).__name__}); nothing was released"


def _with_its_name(text: str, given: tuple[Any, ...]) -> str:
    source = given[0] if given else None
    return text.replace(Path(source.path).name, source.name) if isinstance(source, Source) else text
