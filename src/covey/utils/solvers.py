"""HiGHS and other solvers, asked so that Ctrl-C reaches the caller and a time limit is kept.

A solver runs in a thread of its own and the caller waits. HiGHS looks at its time limit now and then only: when it is
late, the caller goes on without its answer, and the thread ends when HiGHS next looks.
"""

from __future__ import annotations

import math
import threading
import time
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from covey.utils.extras import load

if TYPE_CHECKING:
    from collections.abc import Callable

    from covey.utils.typing import Floats

    Answer = TypeVar("Answer")

_GRACE = 1.0  # seconds beyond its limit that a solver may take to answer


class Unfinished(NamedTuple):
    """In place of scipy's answer where time was up: no solution, no bound."""

    status: int = 1
    x: None = None
    fun: None = None
    mip_dual_bound: None = None


def in_thread(
    call: Callable[[], Answer], seconds: float = math.inf, stop: Callable[[], None] | None = None
) -> Answer | None:
    """What the call returns, or None if it is not back in time. An interrupt stops it, if there is a way, and goes on.

    >>> in_thread(lambda: 6 * 7)
    42
    """
    answers: list[Answer] = []
    errors: list[BaseException] = []
    done = threading.Event()  # not join: interrupted, it takes the thread for ended

    def run() -> None:
        try:
            answers.append(call())
        except BaseException as error:  # noqa: BLE001
            errors.append(error)
        finally:
            done.set()

    threading.Thread(target=run, daemon=True).start()
    end = time.monotonic() + seconds
    try:
        while not done.is_set() and time.monotonic() < end:
            done.wait(min(0.1, max(0.0, end - time.monotonic())))
    except BaseException:
        if stop is not None:
            stop()
            done.wait()
        raise
    if errors:
        raise errors[0]
    return answers[0] if answers else None


def milp(costs: Floats, *, seconds: float, options: dict[str, float] | None = None, **program: object) -> Any:
    """`scipy.optimize.milp` with a time limit; infinity: none."""
    optimize = load("scipy.optimize")
    return _timed(lambda limit: optimize.milp(costs, options=(options or {}) | limit, **program), seconds)


def linprog(costs: Floats, *, seconds: float, **program: object) -> Any:
    """`scipy.optimize.linprog` by HiGHS with a time limit; infinity: none."""
    optimize = load("scipy.optimize")
    return _timed(lambda limit: optimize.linprog(costs, method="highs", options=limit, **program), seconds)


def _timed(call: Callable[[dict[str, float]], Any], seconds: float) -> Any:
    if math.isinf(seconds):
        return in_thread(lambda: call({}))
    limit = {"time_limit": max(0.01, seconds)}
    answer = in_thread(lambda: call(limit), limit["time_limit"] + _GRACE)
    return Unfinished() if answer is None else answer
