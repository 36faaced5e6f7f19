from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

_Points: TypeAlias = NDArray[np.float64]
_Labels: TypeAlias = NDArray[np.uint32]
# the records group by group, and the sizes of the groups
_Grouping: TypeAlias = tuple[NDArray[np.uint32], NDArray[np.uint32]]

def mdav(x: _Points, k: int) -> _Grouping: ...

mdav_by_tree = mdav
mdav_by_passes = mdav
mdav_by_scan = mdav

def cbfs(x: _Points, k: int) -> _Grouping: ...

cbfs_by_scan = cbfs
cbfs_growing = cbfs

def vmdav(x: _Points, k: int, gamma: float) -> _Grouping: ...
def components(x: _Points, k: int) -> _Grouping: ...
def decompose(x: _Points, labels: _Labels, k: int) -> _Grouping: ...
def walk_by_records(x: _Points, labels: _Labels) -> _Labels: ...
def walk_by_centroids(x: _Points, labels: _Labels) -> _Labels: ...
def assign(x: _Points, centres: _Points, start: _Labels, least: int, most: int) -> _Labels: ...
def nearest_point_next(x: _Points) -> _Labels: ...
def order_by_halves(x: _Points) -> _Labels: ...
def tour(x: _Points, neighbours: int) -> _Labels: ...
def cut(x: _Points, order: _Labels, k: int) -> tuple[NDArray[np.uint32], float]: ...
def repeated_ordering(
    x: _Points, starts: NDArray[np.uint32], k: int, least_fall: float = 0.0
) -> tuple[NDArray[np.uint32], NDArray[np.uint32], list[list[float]]]: ...

# the groups of the method "auto"; `progress` hears the share that is done
def good_groups(
    x: _Points, k: int, objective: Objective | None = None, progress: Callable[[float], object] | None = None
) -> _Labels: ...

# the searches of "auto" from given groups; near records, steps of the anneal for each record, records in a block: as many as suit
# the table
def local_search(
    x: _Points,
    labels: _Labels,
    k: int,
    objective: Objective | None = None,
    neighbours: int | None = None,
    steps: float | None = None,
    block: int | None = None,
) -> _Labels: ...

# who is outside after each search, 1 for each record; records cell by cell, from each of `starts` to the next; labels: 0 outside; those
# that `stay` never go there; of each cell at least `least` are outside, and of all at most `most`
def leave_at_price(
    x: _Points,
    starts: _Labels,
    labels: _Labels,
    stay: _Labels,
    least: _Labels,
    k: int,
    most: int,
    price: float,
    neighbours: int,
    steps: int,
    seeds: Sequence[int],
) -> list[_Labels]: ...

# for tests: `count` near records of each as the searches see them; 2^32 - 1 where there are no more
def near_records(x: _Points, k: int, count: int, exact: bool = False) -> _Labels: ...
def comply(
    x: _Points, labels: _Labels, k: int, demand: Demand, neighbours: int, merge_only: bool
) -> NDArray[np.uint32]: ...

# the sizes of the groups, in order; none where there is no such cut
def demand_cut(x: _Points, order: _Labels, k: int, most: int, demand: Demand) -> NDArray[np.uint32]: ...

# for every unit and slot of the blocks that begin at `starts`: the member that takes it
def align(x: _Points, templates: _Points, group: _Labels, starts: _Labels, width: int) -> NDArray[np.uint32]: ...
def neighbours(x: _Points, count: int) -> NDArray[np.uint32]: ...
def neighbour_sums(x: _Points, records: _Labels, count: int) -> NDArray[np.float64]: ...
def neighbour_bound(x: _Points, k: int) -> float: ...
def matching_bound(x: _Points, k: int) -> float: ...
def matching_duals(x: _Points, k: int) -> tuple[float, NDArray[np.float64]]: ...

# of groups that hold so many different codes; 0xFFFFFFFF is none
def different_bound(x: _Points, k: int, code: _Labels, least: int) -> float: ...

# leaves that trees of this thread looked at so far
def leaves_scanned() -> int: ...
def loss(x: _Points, labels: _Labels, objective: Objective | None = None) -> float: ...
def use_baseline(yes: bool) -> None: ...

# for tests: as many threads as this; 0: as many as the machine has cores
def use_threads(count: int) -> None: ...

# the cost of every coordinate by its number, and what records weigh in squares: nothing, or one number each
class Objective:
    def __init__(self, costs: Sequence[int], weights: NDArray[np.float64]) -> None: ...

class Demand:
    def __init__(self) -> None: ...
    def add(
        self,
        kind: str,
        code: NDArray[np.uint32],
        limit: float,
        c: float,
        share: NDArray[np.float64],
        full: NDArray[np.float64],
        value: NDArray[np.float64],
        unit: NDArray[np.uint32],
    ) -> None: ...
    def count_units(self, unit: NDArray[np.uint32], least: int = 0) -> None: ...
    def deficit(self, member: NDArray[np.uint32]) -> float: ...

class Search:
    def __init__(
        self,
        x: _Points,
        labels: _Labels,
        k: int,
        neighbours: int,
        warmth: float,
        seeds: Sequence[int],
        steps: int,
        objective: Objective | None = None,
    ) -> None: ...
    # one round, of as many steps as suit the table; the least loss so far; `progress` hears the share of all steps
    def run(self, progress: Callable[[float], object] | None = None) -> float: ...
    def finish(self) -> None: ...
    def best(self) -> _Labels: ...
    @property
    def done(self) -> int: ...

class Pricing:
    def __init__(self, x: _Points) -> None: ...
    # members of the groups found, their reduced costs, and whether these are all; apart, together: two records a pair
    def price(
        self,
        dual: NDArray[np.float64],
        m: int,
        limit: float,
        most: int,
        seconds: float,
        apart: NDArray[np.uint32],
        together: NDArray[np.uint32],
    ) -> tuple[NDArray[np.uint32], NDArray[np.float64], bool]: ...

class GroupPrices:
    def __init__(self, x: _Points, k: int) -> None: ...
    # whether there is more to be had
    def round(self, seconds: float) -> bool: ...
    def bound(self) -> float: ...
    def prices(self) -> NDArray[np.float64]: ...
    # three records each, and what a group pays that holds two of them
    def tolls(self) -> tuple[NDArray[np.uint32], NDArray[np.float64]]: ...
