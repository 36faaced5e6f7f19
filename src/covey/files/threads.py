"""Work ahead in threads, results in order; an error, or Ctrl-C, ends all of it at once."""

from __future__ import annotations

import ctypes
import itertools
import os
import threading
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable

Given = TypeVar("Given")
Found = TypeVar("Found")


class StoppedError(BaseException):
    """Raised in a thread whose result nobody waits for any more; never seen by a caller."""


class _Stoppable(Generic[Given, Found]):
    """A function that threads can be made to leave: where they next run Python, which kernels do at every poll."""

    def __init__(self, function: Callable[[Given], Found]) -> None:
        self.function, self.stopped = function, False
        self._inside: set[int] = set()
        self._lock = threading.Lock()

    def __call__(self, item: Given) -> Found:
        """The function of an item."""
        with self._lock:
            if self.stopped:
                raise StoppedError
            self._inside.add(threading.get_ident())
        try:
            return self.function(item)
        finally:
            with self._lock:  # a stop that came before is raised here at the latest, never after
                self._inside.discard(threading.get_ident())

    def stop(self) -> None:
        """Make all threads leave."""
        with self._lock:
            self.stopped = True
            for thread in self._inside:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(StoppedError))


def ahead(function: Callable[[Given], Found], items: Iterable[Given], workers: int | None = None) -> Generator[Found]:
    """The results of a function in the order of the items, some of them computed ahead.

    At most one more item than there are workers is held at a time. An error, or the end of the caller, stops the others where they are.

    >>> list(ahead(lambda x: x * x, range(5)))
    [0, 1, 4, 9, 16]
    """
    workers = workers or min(4, os.cpu_count() or 1)
    source, work = iter(items), _Stoppable(function)
    pool = ThreadPoolExecutor(workers, thread_name_prefix="covey")
    waiting: deque[Future[Found]] = deque()
    try:
        waiting.extend(pool.submit(work, item) for item in itertools.islice(source, workers))
        while waiting:
            found = waiting.popleft().result()
            waiting.extend(pool.submit(work, item) for item in itertools.islice(source, 1))
            yield found
    finally:
        work.stop()
        pool.shutdown(wait=True, cancel_futures=True)
