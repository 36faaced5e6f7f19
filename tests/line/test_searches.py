"""A search asked for by name is that search, fits the cost or is refused, and counts as its theorem says."""

from __future__ import annotations

import dataclasses
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import covey.line.optimal as module
from covey._kernels import line as kernels
from covey.costs import COSTS, PROPERTIES
from covey.errors import OptionError
from covey.line import OptimalLine
from covey.line.searches import SEARCHES
from tests.line.costs_of_our_own import Declared

X = np.random.default_rng(0).random(60)


def forbidden(*_args: Any) -> Any:
    message = "another search was run"
    raise AssertionError(message)


@pytest.mark.parametrize("own_cost", [False, True])
@pytest.mark.parametrize("name", ["auto", *SEARCHES])
def test_no_other_search_runs(name: str, own_cost: bool, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: FBT001
    runs = "staggered" if own_cost and name == "auto" else name
    for other, search in SEARCHES.items():
        if other != runs:
            barred = dataclasses.replace(search, kernel=forbidden, own_cost_kernel=forbidden)
            monkeypatch.setitem(SEARCHES, other, barred)
    if runs != "auto":
        monkeypatch.setattr(
            module, "kernels", SimpleNamespace(fastest=forbidden, sort=kernels.sort, label=kernels.label)
        )
    cost = Declared("sse") if own_cost else "sse"
    assert OptimalLine(cost=cost, search=name).solve(X, 4).loss > 0


def test_barring_a_search_bars_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SEARCHES, "wilber", dataclasses.replace(SEARCHES["wilber"], kernel=forbidden))
    with pytest.raises(AssertionError, match="another search"):
        OptimalLine(search="wilber").partition(X, 4)


def test_every_name_has_a_kernel_of_its_own() -> None:
    for name, search in SEARCHES.items():
        kernel = name.replace("+", "_plus").replace("-", "_")
        assert search.kernel is getattr(kernels, kernel)
        assert search.own_cost_kernel is getattr(kernels, f"{kernel}_own_cost")
    counts = {evaluations(name, 1000, 9) for name in SEARCHES}
    assert len(counts) == len(SEARCHES)


def evaluations(name: str, n: int, k: int) -> int:
    x = np.sort(np.random.default_rng(n).random(n))
    most = n if name == "classic" else 2 * k - 1
    return SEARCHES[name].kernel(x, True, k, COSTS["sse"].code, (k, most, 0.0, 0.0, 0), 0, False)[3]  # type: ignore[no-any-return]


@pytest.mark.parametrize("name", ["wilber", "galil-park", "staggered"])
def test_linear_searches_evaluate_linearly_often(name: str) -> None:
    counts = {(n, k): evaluations(name, n, k) for n in (4000, 8000) for k in (4, 16, 64, 256)}
    for k in (4, 16, 64, 256):
        assert 1.8 < counts[8000, k] / counts[4000, k] < 2.25
    assert max(counts[8000, k] for k in (4, 16, 64, 256)) < 20 * 8000


def test_simple_evaluates_k_times_n_entries() -> None:
    for n, k in ((500, 3), (2000, 3), (2000, 30)):
        possible = [0, *range(k, n + 1)]
        pairs = sum(len([i for i in possible if k <= j - i < 2 * k]) for j in range(k, n + 1))
        assert evaluations("simple", n, k) == pairs


def test_simple_plus_evaluates_less_and_classic_quadratically_many() -> None:
    assert evaluations("simple+", 4000, 64) < evaluations("simple", 4000, 64) / 4
    assert 3.8 < evaluations("classic", 2000, 8) / evaluations("classic", 1000, 8) < 4.2


def test_the_hierarchy_of_the_paper() -> None:
    ordered, splitting, concave = PROPERTIES
    assert {name: set(search.needs) for name, search in SEARCHES.items()} == {
        "classic": {ordered},
        "simple": {ordered, splitting},
        "simple+": {ordered, splitting, concave},
        "wilber": {ordered, concave},
        "galil-park": {ordered, concave},
        "staggered": {ordered, splitting, concave},
    }


@pytest.mark.parametrize(
    ("splitting", "concave", "fitting"),
    [
        (True, True, set(SEARCHES)),
        (True, False, {"classic", "simple"}),
        (False, True, {"classic", "wilber", "galil-park"}),
        (False, False, {"classic"}),
    ],
)
def test_a_pair_that_does_not_fit_is_refused_by_name(splitting: bool, concave: bool, fitting: set[str]) -> None:  # noqa: FBT001
    cost = Declared("sse", splitting_is_beneficial=splitting, concave=concave)
    for name in SEARCHES:
        if name in fitting:
            assert OptimalLine(cost=cost, search=name).solve(X, 3).loss == pytest.approx(OptimalLine().solve(X, 3).loss)
        else:
            with pytest.raises(
                OptionError, match=f"search '{name.replace('+', '.')}' does not fit cost 'declared sse'"
            ):
                OptimalLine(cost=cost, search=name)


def test_a_cost_whose_groups_overlap_is_refused() -> None:
    with pytest.raises(OptionError, match="not ordered minimisable"):
        OptimalLine(cost=Declared("sse", ordered_minimisable=False))


def test_options_take_properties_away() -> None:
    with pytest.raises(
        OptionError, match="one where splitting is beneficial with group_cost; use one of classic, wilber"
    ):
        OptimalLine(search="staggered", group_cost=1.0)
    with pytest.raises(OptionError, match="with max_groups"):
        OptimalLine(search="simple", max_groups=3)
    with pytest.raises(OptionError, match="'staggered' needs a hard minimum size"):
        OptimalLine(search="staggered", penalty=1.0)
    OptimalLine(search="simple", group_cost=1.0, max_size=9)
