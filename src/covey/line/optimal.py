"""Optimal univariate microaggregation: the least loss of any partition into groups of at least k."""

from __future__ import annotations

import itertools
import math
import numbers
import sys
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, ClassVar, SupportsIndex, cast

import numpy as np

from covey._kernels import line as kernels
from covey.core.method import WeighingMethod
from covey.core.partition import Partition
from covey.core.solution import Solution
from covey.costs import Cost, check_weighable, cost_name, find_cost, is_named, losses_over
from covey.errors import InfeasibleError, InputError, OptionError, shown
from covey.line.searches import CONCAVE, ORDERED, SEARCHES, SPLITTING, Search, check_fit, find_search
from covey.utils.arrays import as_column, as_count, as_weights

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

_LARGEST = 1e250  # losses and charges beyond this could not be told from what forbids a group


@dataclass(frozen=True)
class OptimalLine(WeighingMethod):
    """Group numbers so that the total cost is the least possible. Exact; after sorting O(kn) to k = 20, then O(n log k).

    A sequence of cuts of the sorted values is a path; dynamic programming finds the cheapest. `search="auto"` takes
    the fastest kernel for the cost and k; the searches of the paper can be asked for by name: "classic", "simple",
    "simple+", "wilber", "galil-park", "staggered". All of them return a partition of the same, least cost; where
    several partitions have it, which one is returned may differ between searches.

    Source: Stamm & Schaub, Faster optimal univariate microaggregation; the variants are its section 6.

    Parameters
    ----------
    cost
        "sse" (mean), "sae" (median), "maxdist" (midrange), "roundup" (max), "rounddown" (min), "rounded" (mean, as a whole
        number), or an object of your own with `loss`, `representative` and its declared properties, see `covey.costs`.
    search
        "auto" or a name. A search that needs a property which the cost does not have is refused.
    group_cost
        Charged for every group, on top of its loss: fewer, larger groups.
    max_groups
        At most this many groups.
    penalty
        Charged for every record that a group lacks to k, instead of forbidding such groups. The partition may then
        hold groups of fewer than k records: it is not k-anonymous.
    max_size
        No group of more than this many records.

    Examples
    --------
    >>> method = OptimalLine()
    >>> method.partition([3.0, 11.0, 2.0, 10.0, 1.0], k=2).labels.tolist()
    [0, 1, 0, 1, 0]
    >>> method.solve([3.0, 11.0, 2.0, 10.0, 1.0], k=2).loss
    2.5
    """

    name: ClassVar[str] = "optimal-line"

    cost: str | Cost = "sse"
    search: str = "auto"
    group_cost: float = 0.0
    max_groups: int | None = None
    penalty: float | None = None
    max_size: int | None = None

    def __post_init__(self) -> None:
        cost, search = self._cost, self._search
        _check_charge("group_cost", self.group_cost)
        if self.penalty is not None:
            _check_charge("penalty", self.penalty)
            if self.penalty == 0:
                msg = "penalty is 0, which would let every record stay alone; needed: a number above 0, or None"
                raise OptionError(msg)
        for option in ("max_groups", "max_size"):
            if getattr(self, option) is not None:
                object.__setattr__(self, option, as_count(getattr(self, option), option))
        if not cost.ordered_minimisable:
            msg = (
                f"cost {cost_name(cost)!r} is not ordered minimisable: its best groups may overlap on the line, and no "
                "search here finds those"
            )
            raise OptionError(msg)
        if search is not None:
            has, why_not = self._properties()
            check_fit(search, cost, has, why_not)
            if search.name == "staggered" and self.penalty is not None:
                msg = "search 'staggered' needs a hard minimum size, and penalty makes it soft; use galil-park or auto"
                raise OptionError(msg)
            if search.name != "classic" and self.max_groups is not None and not cost.concave:
                msg = (
                    f"max_groups with a cost that is not concave is solved in layers by 'classic', not {search.name!r}"
                )
                raise OptionError(msg)

    @property
    def _cost(self) -> Cost:
        return find_cost(self.cost)

    @property
    def _search(self) -> Search | None:
        return find_search(self.search)

    def solve(self, X: ArrayLike, k: SupportsIndex, *, weights: ArrayLike | None = None) -> Solution:
        """Group the numbers X and say what that loses.

        With `weights` the squares of a record count as often as it weighs. The groups are then the best of neighbours on the
        line, and others may lose less: a record of little weight may be worth sending far away.
        """
        partition, loss = self._run(X, k, weights, want_loss=True)
        if weights is None or loss == 0.0 or np.ptp(as_weights(weights, len(partition.labels))) == 0.0:
            return Solution(partition, loss, bound=loss, status="optimal", method=self)
        return Solution(partition, loss, bound=0.0, status="feasible", method=self)

    def partition(self, X: ArrayLike, k: SupportsIndex, *, weights: ArrayLike | None = None) -> Partition:
        """Group the numbers X."""
        return self._run(X, k, weights, want_loss=False)[0]

    def __repr__(self) -> str:
        options = ((f.name, getattr(self, f.name), f.default) for f in fields(self))
        given = ", ".join(f"{name}={value!r}" for name, value, default in options if value != default)
        return f"OptimalLine({given})"

    def _run(
        self, X: ArrayLike, k: SupportsIndex, weights: ArrayLike | None, *, want_loss: bool
    ) -> tuple[Partition, float]:
        cost = self._cost
        x, is_sorted = as_column(X, shift_integers=is_named(cost))
        least = as_count(k, "k", at_most=len(x))
        weight = None if weights is None else self._weights(weights, len(x))
        rules = self._rules(len(x), least)
        max_groups = 0 if self.max_groups is None else min(self.max_groups, len(x))
        try:
            if not is_named(cost):
                return self._run_own_cost(x, rules, max_groups)
            cost.check(x)
            kernel = kernels.fastest if self._search is None else self._search.kernel
            power = 0 if weight is None else int(np.frexp(weight.max())[1])  # so that no weight is above 1
            scaled = None if weight is None else np.ldexp(weight, -power)
            labels, _, loss, _ = kernel(x, is_sorted, least, cost.code, rules, max_groups, want_loss, scaled)
            loss = math.ldexp(loss, power)
        except OverflowError as error:  # what a kernel could not compute
            msg = f"{error}; needed: values (or losses) of closer magnitudes; group their logarithms, or without max_groups"
            raise InputError(msg) from None
        return Partition._from_canonical(labels), loss

    def _weights(self, weights: ArrayLike, n: int) -> NDArray[np.float64]:
        check_weighable(self._cost)
        return as_weights(weights, n)

    def _run_own_cost(
        self, x: NDArray[np.float64], rules: tuple[int, int, float, float, int], max_groups: int
    ) -> tuple[Partition, float]:
        search = self._search if self._search is not None else self._fitting_search()
        values, order = kernels.sort(x)
        values.flags.writeable = False
        window = losses_over(self._cost, values)

        def loss_of(start: int, stop: int) -> float:
            loss = float(window(start, stop))
            if not -_LARGEST < loss < _LARGEST:
                name = cost_name(self._cost)
                msg = f"cost {name!r} returned {loss} for a group of {stop - start}; needed: a finite number"
                raise InputError(msg)
            return loss

        # More than any partition can save: what one group of everything costs, and all penalties.
        charge = 2.0 * abs(loss_of(0, len(x))) + 1.0 + rules[3] * len(x) if max_groups else 0.0
        concave = self._cost.concave
        cuts, _ = search.own_cost_kernel(loss_of, len(x), rules, max_groups, concave, charge)
        sizes = [stop - start for start, stop in itertools.pairwise(cuts)]
        if min(sizes) < rules[0] or max(sizes) > rules[1]:
            msg = f"cost {cost_name(self._cost)!r} is not concave as it declares; see covey.line.find_counterexample"
            raise OptionError(msg)
        loss = math.fsum(itertools.starmap(loss_of, itertools.pairwise(cuts)))
        loss += self.group_cost * len(sizes) + rules[3] * sum(max(rules[4] - size, 0) for size in sizes)
        return Partition._from_canonical(kernels.label(cuts, order)), loss

    def _fitting_search(self) -> Search:
        """The fastest search for a cost that lives in Python, where an evaluation outweighs everything else."""
        has, _ = self._properties()
        names = {(True, True): "staggered", (True, False): "galil-park", (False, True): "simple"}
        name = names.get((has[CONCAVE], has[SPLITTING]), "classic")
        if name == "staggered" and (self.penalty is not None or self.max_size is not None):
            name = "galil-park"
        return SEARCHES[name]

    def _properties(self) -> tuple[dict[str, bool], dict[str, str]]:
        """What the cost has once the options are added, and why it lost what it lacks."""
        cost = self._cost
        has = {ORDERED: cost.ordered_minimisable, CONCAVE: cost.concave, SPLITTING: cost.splitting_is_beneficial}
        why_not = {}
        for option, used in (("group_cost", self.group_cost > 0), ("max_groups", self.max_groups is not None)):
            if used and has[SPLITTING]:
                has[SPLITTING] = False
                why_not[SPLITTING] = f" with {option}"
        if self.max_size is not None:  # sizes are bounded all the same
            has[SPLITTING] = True
        return has, why_not

    def _rules(self, n: int, k: int) -> tuple[int, int, float, float, int]:
        """Sizes allowed and charges, as the kernels take them, or an error that says why nothing fits."""
        least = 1 if self.penalty is not None else k
        most = n if self.max_size is None else min(self.max_size, n)
        _check_feasible(n, k, least, most, self.max_groups)
        bounded = self._cost.splitting_is_beneficial and self.group_cost == 0 and self.max_groups is None
        if bounded and (self._search is None or self._search.name != "classic"):
            most = min(most, 2 * k - 1)
        charges = min(float(self.group_cost), _LARGEST), min(float(self.penalty or 0.0), _LARGEST)
        return least, most, *charges, k if self.penalty is not None else 0


def _check_charge(option: str, value: object) -> None:
    is_number = isinstance(value, numbers.Real) and not isinstance(value, bool)
    if not is_number or not 0 <= cast("float", value) <= sys.float_info.max:
        msg = f"{option} is {shown(value)}; needed: a finite number of at least 0"
        raise OptionError(msg)


def _check_feasible(n: int, k: int, least: int, most: int, max_groups: int | None) -> None:
    if most < least:
        msg = f"max_size = {most} is below k = {k}: no group can hold {k} records; raise max_size or lower k"
        raise InfeasibleError(msg)
    fewest, greatest = -(-n // most), n // least
    if fewest > greatest:
        msg = (
            f"{n} records cannot be cut into groups of {least} to {most}: {greatest} groups hold at most "
            f"{greatest * most}, {greatest + 1} need at least {(greatest + 1) * least}; raise max_size or lower k"
        )
        raise InfeasibleError(msg)
    if max_groups is not None and max_groups < fewest:
        msg = (
            f"{n} records in groups of at most {most} need {fewest} groups, and max_groups = {max_groups}; raise "
            "max_groups or max_size"
        )
        raise InfeasibleError(msg)
