"""Ctrl-C ends a long call."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

SCRIPT = """
import signal
import numpy as np
from covey.line import OptimalLine
from covey.line import diverse

def hard(n, m):
    return np.random.default_rng(0).random(n), np.arange(n) * 7919 % 104729 % m

class Slow:
    ordered_minimisable = True
    splitting_is_beneficial = False
    concave = False
    def loss(self, group): return float(len(group))
    def representative(self, group): return 0.0

signal.setitimer(signal.ITIMER_REAL, 0.3)
signal.signal(signal.SIGALRM, signal.default_int_handler)
try:
    {call}
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs the interval timers of POSIX")
@pytest.mark.parametrize(
    "call",
    [
        "OptimalLine(search='classic').partition(np.arange(2e6), 3)",
        "OptimalLine(cost=Slow()).partition(np.arange(1e6), 3)",
        "[OptimalLine().partition(np.random.default_rng(0).random(2_000_000), 50) for _ in range(10**9)]",
        "diverse(*hard(2_000_000, 6), 2, 'max', 'window')",
        "diverse(*hard(100_000, 12), 4, 'sum', 'window')",
        "diverse(*hard(50_000, 12), 4, 'sse', 'window')",
        "diverse(*hard(200, 4), 2, 'max', 'paper')",
    ],
)
def test_a_long_call_ends_at_once(call: str) -> None:
    """Without a check for signals these calls would run for hours: the time limit is no measurement."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT.format(call=call)], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.stdout == "interrupted\n", done.stderr


ONE_CALL = """
import functools, signal
import numpy as np
from covey._kernels import line as kernels
from covey.costs import COSTS

x = np.random.default_rng(0).random({n})
if {by_rank}:
    np.cumsum(x, out=x)
signal.signal(signal.SIGALRM, signal.default_int_handler)
finished = []
calls = map({call}, [x])
signal.setitimer(signal.ITIMER_REAL, 0.01)
try:
    finished.extend(calls)  # the call and the append are one step of the interpreter: no signal comes between
except KeyboardInterrupt:
    print("interrupted, calls finished:", len(finished))
"""


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs the interval timers of POSIX")
@pytest.mark.parametrize(
    ("call", "n", "by_rank"),
    [
        ("functools.partial(kernels.direct, k=20, cost=COSTS['sse'].code)", 20_000_000, True),
        ("functools.partial(kernels.direct, k=3, cost=COSTS['sae'].code)", 50_000_000, True),
        ("functools.partial(kernels.divide, k=50, cost=COSTS['sse'].code)", 20_000_000, True),
        ("functools.partial(kernels.direct, k=50, cost=COSTS['maxdist'].code)", 50_000_000, True),
        ("kernels.sort", 20_000_000, False),
    ],
)
def test_a_kernel_stops_in_the_middle_of_one_call(call: str, n: int, by_rank: bool) -> None:  # noqa: FBT001
    """A kernel that does not look for signals would finish its call first."""
    script = ONE_CALL.format(call=call, n=n, by_rank=by_rank)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout == "interrupted, calls finished: 0\n", done.stderr
