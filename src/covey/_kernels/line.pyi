from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

# (least size, most, cost per group, penalty per record missing, size below which it is due)
_Rules: TypeAlias = tuple[int, int, float, float, int]
# labels, groups, loss (0 unless wanted), evaluations of matrix entries (0 for the kernels of `fastest`)
_Labelled: TypeAlias = tuple[NDArray[np.int32], int, float, int]

def fastest(
    x: NDArray[np.float64],
    was_sorted: bool,
    k: int,
    cost: int,
    rules: _Rules,
    max_groups: int,
    want_loss: bool,
    weights: NDArray[np.float64] | None = None,
) -> _Labelled: ...
def classic(
    x: NDArray[np.float64],
    was_sorted: bool,
    k: int,
    cost: int,
    rules: _Rules,
    max_groups: int,
    want_loss: bool,
    weights: NDArray[np.float64] | None = None,
) -> _Labelled: ...

simple = classic
simple_plus = classic
wilber = classic
galil_park = classic
staggered = classic

def classic_own_cost(
    loss: Callable[[int, int], float], n: int, rules: _Rules, max_groups: int, concave: bool, large_charge: float
) -> tuple[list[int], int]: ...

simple_own_cost = classic_own_cost
simple_plus_own_cost = classic_own_cost
wilber_own_cost = classic_own_cost
galil_park_own_cost = classic_own_cost
staggered_own_cost = classic_own_cost

def direct(x: NDArray[np.float64], k: int, cost: int) -> NDArray[np.int32]: ...
def divide(x: NDArray[np.float64], k: int, cost: int) -> NDArray[np.int32]: ...
def prefix_sums(x: NDArray[np.float64], k: int, use_staggered: bool) -> _Labelled: ...
def partial_sums(x: NDArray[np.float64], k: int, use_staggered: bool) -> _Labelled: ...
def cheap_sums(x: NDArray[np.float64], k: int, use_staggered: bool) -> _Labelled: ...
def losses_without(x: NDArray[np.float64], k: int, cost: int, most: int) -> NDArray[np.float64]: ...
def groups_without(x: NDArray[np.float64], k: int, cost: int, count: int) -> NDArray[np.int32]: ...
def groups_at_price(x: NDArray[np.float64], k: int, cost: int, price: float) -> NDArray[np.int32]: ...
def use_baseline(yes: bool) -> None: ...
def is_sorted(x: NDArray[np.float64]) -> bool: ...
def sort(x: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.uint32]]: ...
def label(cuts: Sequence[int], order: NDArray[np.uint32]) -> NDArray[np.int32]: ...
def by_label(labels: NDArray[np.int32], groups: int) -> NDArray[np.uint32]: ...
def sorted_runs(
    values: NDArray[np.float64] | NDArray[np.int64], order: NDArray[np.uint32], stops: NDArray[np.int64]
) -> NDArray[np.uint32]: ...
def ends_of(sizes: NDArray[np.uint32], stop: int, first: int) -> NDArray[np.int64]: ...

class Stream:
    def __init__(self, cost: int, k: int, least: int, weighed: bool = False) -> None: ...
    def push(
        self, x: NDArray[np.float64], ended: bool, weights: NDArray[np.float64] | None = None
    ) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]: ...
