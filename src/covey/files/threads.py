"""Work ahead in threads, results in order."""

from __future__ import annotations

import itertools
import os
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

Given = TypeVar("Given")
Found = TypeVar("Found")


def ahead(function: Callable[[Given], Found], items: Iterable[Given], workers: int | None = None) -> Iterator[Found]:
    """The results of a function in the order of the items, some of them computed ahead.

    At most one more item than there are workers is held at a time. An error, or the end of the caller, stops the others.

    >>> list(ahead(lambda x: x * x, range(5)))
    [0, 1, 4, 9, 16]
    """
    workers = workers or min(4, os.cpu_count() or 1)
    source = iter(items)
    pool = ThreadPoolExecutor(workers, thread_name_prefix="covey")
    waiting: deque[Future[Found]] = deque(pool.submit(function, item) for item in itertools.islice(source, workers))
    try:
        while waiting:
            found = waiting.popleft().result()
            waiting.extend(pool.submit(function, item) for item in itertools.islice(source, 1))
            yield found
    finally:
        for one in waiting:
            one.cancel()
        pool.shutdown(wait=True, cancel_futures=True)
