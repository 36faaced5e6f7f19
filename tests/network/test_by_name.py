"""A method asked for by name is that method: every other solver may break, and it still answers."""

from __future__ import annotations

from typing import Any

import networkx as nx
import pytest

from covey._kernels import network as network_kernels
from covey._kernels import treewidth as treewidth_kernels
from covey.network import cluster_types, cover_parts, cover_program, few_centres, kernel, treewidth
from covey.network.cluster_types import ClusterTypes
from covey.network.few_centres import FewCentres
from covey.network.kernel import Kernel
from covey.network.treewidth import Treewidth

# What does the work: the function, and where it is looked up.
SOLVERS: dict[tuple[str, bool], list[tuple[Any, str]]] = {
    ("treewidth", True): [(treewidth, "connected_by_treewidth"), (treewidth_kernels, "connected")],
    ("treewidth", False): [(treewidth, "unconnected_by_treewidth")],
    ("kernel", True): [(kernel, "exhaust")],
    ("kernel", False): [(kernel, "exhaust"), (kernel, "reduction")],
    ("cluster-types", True): [(cluster_types, "by_parts"), (cover_parts, "_Branch")],
    ("cluster-types", False): [(cluster_types, "serve"), (cover_program, "Program")],
    ("few-centres", False): [(few_centres, "serve"), (few_centres, "_branch"), (cover_program, "Program")],
}
METHODS: dict[str, type[Any]] = {
    "treewidth": Treewidth,
    "kernel": Kernel,
    "cluster-types": ClusterTypes,
    "few-centres": FewCentres,
}


class BrokenError(Exception):
    """Someone called what was not asked for."""


def broken(*_: Any, **__: Any) -> Any:
    raise BrokenError


def others(monkeypatch: pytest.MonkeyPatch, own: tuple[str, bool]) -> None:
    mine = SOLVERS[own]
    for solvers in SOLVERS.values():
        for module, name in solvers:
            if (module, name) not in mine:
                monkeypatch.setattr(module, name, broken)
    for name in ("carve", "carving"):
        if hasattr(network_kernels, name):
            monkeypatch.setattr(network_kernels, name, broken)
    if not own[0].startswith(("cluster", "few", "kernel")):
        monkeypatch.setattr("scipy.optimize.milp", broken)


@pytest.mark.parametrize("question", SOLVERS, ids=str)
def test_it_is_that_algorithm_that_answers(monkeypatch: pytest.MonkeyPatch, question: tuple[str, bool]) -> None:
    name, connected = question
    assert METHODS[name].name == name
    method = METHODS[name](upper=5, connected=connected)
    graph = nx.path_graph(9)
    others(monkeypatch, question)
    assert method.solve(graph, 3).status == "optimal"
    module, solver = SOLVERS[question][0]
    monkeypatch.setattr(module, solver, broken)
    with pytest.raises(BrokenError):
        method.solve(graph, 3)
