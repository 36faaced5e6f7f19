"""A method asked for by name is that method: every other solver may break, and it still answers."""

from __future__ import annotations

from typing import Any

import networkx as nx
import pytest

from covey._kernels import network as network_kernels
from covey._kernels import treewidth as treewidth_kernels
from covey.network import METHODS, microaggregate
from covey.network.methods import auto, milp, pipeline, sat
from covey.network.methods.cover import cluster_types, few_centres, kernelization, parts, program
from covey.network.methods.problem import Answer
from covey.network.methods.treewidth import method as treewidth

# What does the work: the function, and where it is looked up.
SOLVERS: dict[tuple[str, bool], list[tuple[Any, str]]] = {
    ("milp", False): [(milp, "merged"), (milp, "by_greedy_cover"), (milp, "Program")],
    ("pipeline", True): [
        (pipeline, "_carved"),
        (pipeline, "centred"),
        (pipeline, "forest"),
        (sat, "solve"),
        (network_kernels, "carve"),
    ],
    ("treewidth", True): [(treewidth, "connected_by_treewidth"), (treewidth_kernels, "connected")],
    ("treewidth", False): [(treewidth, "unconnected_by_treewidth"), (treewidth_kernels, "unconnected")],
    ("kernel", True): [(kernelization, "exhaust")],
    ("kernel", False): [(kernelization, "exhaust"), (kernelization, "reduction")],
    ("cluster-types", True): [(cluster_types, "by_parts"), (parts, "_Branch")],
    ("cluster-types", False): [(cluster_types, "serve"), (program, "Program")],
    ("few-centres", False): [(few_centres, "serve"), (few_centres, "_branch"), (program, "Program")],
    ("carving", True): [(network_kernels, "carve")],
    ("carving", False): [(network_kernels, "carve")],
    ("gather", False): [(network_kernels, "gather")],
}
PROGRAMS = ("milp", "pipeline", "kernel", "cluster-types", "few-centres")  # these ask HiGHS, if only for a cover


class BrokenError(Exception):
    """Someone called what was not asked for."""


def broken(*_: Any, **__: Any) -> Any:
    raise BrokenError


def others(monkeypatch: pytest.MonkeyPatch, own: tuple[str, bool]) -> None:
    """Break all solvers but one."""
    mine = SOLVERS[own]
    for solvers in SOLVERS.values():
        for module, name in solvers:
            if (module, name) not in mine:
                monkeypatch.setattr(module, name, broken)
    monkeypatch.setattr(auto, "solve", broken)
    if own[0] not in PROGRAMS:
        monkeypatch.setattr("scipy.optimize.milp", broken)


def test_every_method_is_here() -> None:
    asked = {(name, connected) for name, method in METHODS.items() for connected, _ in method.answers}
    assert asked == set(SOLVERS)


@pytest.mark.parametrize("question", SOLVERS, ids=str)
def test_it_is_that_algorithm_that_answers(monkeypatch: pytest.MonkeyPatch, question: tuple[str, bool]) -> None:
    name, connected = question
    graph = nx.path_graph(9)
    others(monkeypatch, question)
    if name == "pipeline":  # what it asks about clusters that need not be connected is a step of its own
        monkeypatch.setattr(milp, "decide", lambda *_: Answer(None))
    solution = microaggregate(graph, 3, 5, connected=connected, method=name)
    assert solution.status in ("optimal", "feasible")
    assert solution.method.name == name
    module, solver = SOLVERS[question][0]
    monkeypatch.setattr(module, solver, broken)
    with pytest.raises(BrokenError):
        microaggregate(graph, 3, 5, connected=connected, method=name)
