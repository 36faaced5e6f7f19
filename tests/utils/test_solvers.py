"""Solvers in a thread: answers and errors come back, time limits are kept, an interrupt reaches the caller."""

from __future__ import annotations

import math
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from scipy import optimize

from covey.utils import solvers
from covey.utils.solvers import Unfinished, in_thread, linprog, milp


def test_answers_and_errors_come_back() -> None:
    assert in_thread(lambda: 3) == 3
    with pytest.raises(ZeroDivisionError):
        in_thread(lambda: 1 // 0)


def test_who_is_late_is_not_waited_for() -> None:
    held = threading.Event()
    assert in_thread(held.wait, seconds=0.05) is None
    held.set()


def test_an_interrupt_stops_the_solver_and_goes_on() -> None:
    held = threading.Event()
    stopped = []

    def stop() -> None:
        stopped.append(True)
        held.set()

    timer = threading.Timer(0.2, lambda: signal.raise_signal(signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        in_thread(held.wait, stop=stop)
    assert stopped == [True]


def test_programs_are_those_of_scipy() -> None:
    program = {"bounds": optimize.Bounds(0.0, 3.5), "integrality": np.ones(1)}
    for seconds in (math.inf, 5.0):
        assert milp(np.array([-1.0]), seconds=seconds, **program).x.tolist() == [3.0]
        assert linprog(np.array([-1.0]), bounds=[(0.0, 3.5)], seconds=seconds).x.tolist() == [3.5]


def test_a_late_program_is_unfinished(monkeypatch: pytest.MonkeyPatch) -> None:
    held = threading.Event()
    monkeypatch.setattr(solvers, "_GRACE", 0.05)
    monkeypatch.setattr("scipy.optimize.milp", lambda *_, **__: held.wait())
    assert milp(np.zeros(1), seconds=0.0) == Unfinished()
    held.set()


CODE = """
import networkx as nx
import covey.network
from covey.utils import solvers
from covey.network.methods import sat
from covey.network.methods import milp
milp.unserved = lambda *_: -1  # the quick proof
in_thread = solvers.in_thread
def said(call, *limit, **stop):
    print("the solver starts", flush=True)
    return in_thread(call, *limit, **stop)
solvers.in_thread = sat.in_thread = said
covey.network.microaggregate({graph}, 10, 19, {asked}, time_limit=None)
"""


@pytest.mark.parametrize(
    ("graph", "asked"),
    [
        ("nx.grid_2d_graph(40, 40)", "2.0, method='milp'"),
        ("nx.barabasi_albert_graph(1000, 2, seed=1)", "2.0, connected=True, method='pipeline'"),
    ],
)
def test_ctrl_c_ends_a_search_at_once(graph: str, asked: str) -> None:
    code = CODE.format(graph=graph, asked=asked)
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "the solver starts\n"
    time.sleep(0.5)  # into its search
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert "KeyboardInterrupt" in err
    assert process.returncode == -signal.SIGINT  # as any program that is interrupted; an abort would be another
