"""What `diverse` refuses and how it says so, what a method by name is, and how it ends."""

from __future__ import annotations

import random
import re
import sys
import time
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from covey._kernels import diverse as kernels
from covey.errors import CoveyError, InfeasibleError, InputError, MissingExtraError, OptionError
from covey.line import diverse
from covey.line.diversity.methods import METHODS, Milp, Paper, Window
from tests.line.test_diverse import check, coloured

if TYPE_CHECKING:
    from collections.abc import Callable

X, COLOURS = [1.0, 2.0, 3.0, 4.0], ["flu", "flu", "cold", "cold"]


def test_infeasible_says_which_colour_and_what_is_possible() -> None:
    with pytest.raises(InfeasibleError, match=r"colour 'flu' is that of 3 of 7 records.*l of at most 2, or at most 2"):
        diverse([81.5, 82, 83, 84, 85, 86, 87], ["flu", "flu", "flu", "a", "b", "c", "d"], 3)
    with pytest.raises(InfeasibleError, match=r"l = 5 would need 5 records; needed: l of at most 4,"):
        diverse(X, list("abcd"), 5)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"objective": "size-span"}, OptionError, r"'size-span' is refused: its best groups need not be monotone"),
        ({"objective": "median"}, OptionError, r"no objective 'median'; known: max, sum, sse"),
        ({"objective": None}, OptionError, r"no objective None"),
        ({"method": "windows"}, OptionError, r"no method 'windows'; did you mean 'window'"),
        ({"method": ["window"]}, OptionError, r"no method a list"),
        ({"method": "milp", "objective": "sum"}, OptionError, r"'milp' is for objective 'max' only, not 'sum'"),
        ({"method": "milp", "objective": "sse"}, OptionError, r"use window, paper or auto"),
        ({"l": 0}, OptionError, r"l is 0; needed: at least 1"),
        ({"l": 2.0}, OptionError, r"l is 2.0; needed: an integer"),
        ({"time_limit": -1}, OptionError, r"time_limit is -1; needed: None or a finite number"),
        ({"time_limit": float("nan")}, OptionError, r"time_limit is nan"),
        ({"time_limit": "1 s"}, OptionError, r"time_limit is '1 s'"),
        ({"colours": COLOURS[:3]}, InputError, r"3 colours for 4 records"),
        ({"colours": ["flu", None, "cold", "cold"]}, InputError, r"1 records have no colour, .* never counts"),
        ({"colours": [1.0, float("nan"), float("nan"), 2.0]}, InputError, r"2 records have no colour"),
        ({"colours": "flu!"}, InputError, r"needed: a sequence"),
        ({"colours": 7}, InputError, r"colours are 7"),
        ({"colours": [["a"], ["b"], ["c"], ["d"]]}, InputError, r"not hashable"),
        ({"colours": np.zeros((4, 2))}, InputError, r"shape \(4, 2\)"),
        ({"x": [1.0, 2.0, float("nan"), 3.0]}, InputError, r"missing values"),
        ({"x": [1.0, 2.0, float("inf"), 3.0]}, InputError, r"infinite"),
        ({"x": []}, InputError, r"empty"),
    ],
)
def test_what_is_refused(arguments: dict[str, Any], error: type[CoveyError], message: str) -> None:
    given: dict[str, Any] = {"x": X, "colours": COLOURS, "l": 2} | arguments
    with pytest.raises(error, match=message):
        diverse(**given)


@pytest.mark.parametrize(
    "convert",
    [
        list,
        tuple,
        np.array,
        lambda c: np.array(c, dtype=object),
        pd.Series,
        lambda c: pd.Series(c, dtype="category"),
        lambda c: pd.Series(c, dtype="string"),
        pl.Series,
        pa.array,
        lambda c: pa.chunked_array([c]),
        lambda c: [len(name) for name in c],
        lambda c: np.array([len(name) for name in c]),
    ],
)
def test_colours_can_be_any_column(convert: Callable[[list[str]], Any]) -> None:
    assert diverse(X, convert(COLOURS), 2).partition.labels.tolist() == [0, 1, 0, 1]


@pytest.mark.parametrize(
    "colours",
    [
        pd.Series(["a", None, "b", "c"]),
        pd.Series(["a", pd.NA, "b", "c"], dtype="string"),
        pd.Series([pd.Timestamp(2020, 1, 1), pd.NaT, pd.Timestamp(2020, 1, 2), pd.Timestamp(2020, 1, 3)]),
        pl.Series(["a", None, "b", "c"]),
        pa.array(["a", None, "b", "c"]),
        np.ma.masked_array(["a", "x", "b", "c"], [False, True, False, False]),
    ],
)
def test_a_missing_colour_is_refused_in_any_column(colours: Any) -> None:
    with pytest.raises(InputError, match="1 records have no colour"):
        diverse(X, colours, 2)


def test_large_tables_and_programs_are_refused_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    x, colours = np.arange(5000.0), coloured(5000, 4, 0)
    with pytest.raises(InputError, match=r"5000 records of 4 colours need a table of about 10\^12.4 entries.*'window'"):
        diverse(x, colours, 2, method="paper")
    monkeypatch.setattr("covey.line.diversity.milp._MOST_PAIRS", 1000)
    with pytest.raises(InputError, match=r"pairs of points.*at most 1000 are tried.*method='window'"):
        diverse(x, colours, 2, method="milp")


def test_errors_hold_no_value_of_the_column() -> None:
    x = [123.456, 234.567, 345.678, 456.789]
    for colours, l in ((list("aaab"), 2), (list("abc"), 2), (list("abcd"), 9)):  # noqa: E741
        with pytest.raises(CoveyError) as caught:
            diverse(x, colours, l)
        assert not re.search(r"\.\d", str(caught.value))


RUNS = {
    "window": (kernels, "window"),
    "paper": (kernels, "table"),
    "milp": (sys.modules["covey.line.diversity.milp"], "close"),
}


def hard_for_bounds() -> tuple[list[int], list[int]]:
    """An instance of which the bounds alone do not find the answer."""
    x, colours = np.cumsum(np.random.default_rng(6).integers(1, 9, 60)).tolist(), coloured(60, 3, 6)
    assert diverse(x, colours, 2, method="paper", time_limit=0).status == "feasible"
    return x, colours


@pytest.mark.parametrize("name", METHODS)
def test_a_method_by_name_is_that_method(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It answers where all others are broken, and does not where it is."""

    def broken(*_: object) -> None:
        raise ZeroDivisionError

    x, colours = hard_for_bounds()
    for other, (module, attribute) in RUNS.items():
        if other != name:
            monkeypatch.setattr(module, attribute, broken)
    solution = diverse(x, colours, 2, method=name)
    assert (solution.method.name, solution.status) == (name, "optimal")
    monkeypatch.setattr(*RUNS[name], broken)
    with pytest.raises(ZeroDivisionError):
        diverse(x, colours, 2, method=name)


def test_auto_goes_on_with_integer_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the window recursion proved nothing; without scipy its bracket is the answer."""
    monkeypatch.setattr(kernels, "window", lambda *given: kernels.start(*given[:5]))
    x, colours = np.random.default_rng(0).random(60), coloured(60, 5, 0)
    assert diverse(x, colours, 2, method="window").status == "feasible"
    solution = diverse(x, colours, 2)
    assert (solution.method, solution.status) == (Milp(), "optimal")
    assert diverse(x, colours, 2, "sum").method == Window("sum")
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    assert diverse(x, colours, 2).status == "feasible"


def test_integer_programs_need_scipy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("scipy", "scipy.optimize", "scipy.sparse"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(MissingExtraError, match=r"pip install 'covey\[exact\]'"):
        diverse(*hard_for_bounds(), 2, method="milp")


def test_methods_are_values() -> None:
    assert len({Window("sum", 3.0), Window("sum", 3.0), Paper("sum", 3.0)}) == 2
    assert repr(Paper()) == "Paper(objective='max', time_limit=None)"
    assert diverse(X, COLOURS, 2, "sum", time_limit=9).method == Window("sum", 9)


@pytest.mark.parametrize("method", ["auto", "window", "milp", "paper"])
def test_a_time_limit_is_kept(method: str) -> None:
    """On instances that take each method far longer."""
    n, m, l = (200, 4, 2) if method == "paper" else (900, 30, 8)  # noqa: E741
    x, colours = np.random.default_rng(1).random(n), coloured(n, m, 1)
    start = time.monotonic()
    solution = diverse(x, colours, l, method=method, time_limit=0.3)
    assert time.monotonic() - start < 5.0  # seconds of slack for a busy machine
    check(solution, x, colours, l)
    assert solution.status == "feasible"
    assert 0 < solution.bound < solution.loss


def test_the_kernel_ends_where_memory_does() -> None:
    """A tenth of a megabyte for states: a bracket, and no wrong proof."""
    rng = random.Random(6)
    x = np.array(sorted(rng.random() for _ in range(300)))
    colours = np.array([rng.randrange(8) for _ in range(300)], dtype=np.int32)
    for objective in range(3):
        clusters, lower, upper = kernels.window(x, colours, 8, 4, objective, 1e9, 100_000)
        assert 0 < lower < upper
        assert len(clusters) == 300
        assert kernels.start(x, colours, 8, 4, objective)[2] >= upper
