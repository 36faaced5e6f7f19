"""Optimal univariate microaggregation of a stream: more records than memory holds, sorted, in blocks."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any, NamedTuple, SupportsIndex

import numpy as np

from covey._kernels import line as kernels
from covey.costs import COSTS, NamedCost, check_weighable, cost_name, find_cost, is_named
from covey.errors import InputError, OptionError
from covey.line.tail import Tail
from covey.utils.arrays import as_array, as_column, as_count, as_weights

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import ArrayLike, NDArray

_PIECE = 2**17  # records that the kernel takes at a time
_SEGMENT = 2**12  # ends after which cuts may come out
_EXACT = 2**53


def stream(
    blocks: Iterable[ArrayLike],
    k: SupportsIndex,
    cost: str | NamedCost = "sse",
    *,
    weights: Iterable[ArrayLike] | None = None,
    tail_memory: SupportsIndex = 2**26,
) -> Iterator[NDArray[np.int64]]:
    """Group a sorted stream of numbers so that the total cost is the least possible. Exact; the time of `OptimalLine`.

    Dynamic programming goes over each block once. As soon as the best paths to all ends that the future can build on
    share a cut, the cuts up to there are decided and come out. Memory: a block, O(k), and the undecided tail, usually
    about k^2 records. Where the paths never meet, the tail goes to an unlinked temporary file, 4 bytes a record.

    Source: Stamm & Schaub, Faster optimal univariate microaggregation, for the search.

    Parameters
    ----------
    blocks
        Arrays (lists, columns of dataframes) of numbers, of any lengths, ascending within and across blocks.
    k
        The least size of a group.
    cost
        "sse", "sae", "maxdist", "roundup", "rounddown" or "rounded". Costs of one's own are refused: see `OptimalLine`.
    weights
        What the records weigh, in blocks as long as those of the values; for "sse" and "rounded", whose squares they enter.
        Exact in the order in which equal values come; O(nk).
    tail_memory
        Bytes that the undecided tail may take in memory before it goes to disk. No value of the data does.

    Yields
    ------
    numpy.ndarray
        Group ends: positions in the stream, ascending over all arrays; the last is the number of records. The first
        group is `[0, end)`, each of the others starts where the one before it ends. The loss is that of `OptimalLine`;
        where several partitions have it, this may be another one, but the same however the stream is cut into blocks.

    Raises
    ------
    InputError
        The stream does not ascend, or is empty.
    OptionError
        There are fewer than k records.

    Examples
    --------
    >>> blocks = [[1.0, 2.0], [3.0], [10.0, 11.0]]
    >>> [ends.tolist() for ends in stream(blocks, k=2)]
    [[3, 5]]
    """
    named = find_cost(cost)
    if not is_named(named):
        msg = (
            f"cost {cost_name(named)!r} is one of your own, which a stream cannot take; needed: one of {', '.join(COSTS)}; "
            "or group the whole column with covey.line.OptimalLine"
        )
        raise OptionError(msg)
    if isinstance(blocks, str | bytes) or not hasattr(blocks, "__iter__"):
        msg = f"blocks is a {type(blocks).__name__}; needed: an iterable of sorted arrays"
        raise InputError(msg)
    if weights is not None:
        check_weighable(named)
    least = as_count(k, "k")
    return _grouped(blocks, weights, least, named, as_count(tail_memory, "tail_memory"))


class _Block(NamedTuple):
    """Sorted values, and what they weigh where they weigh differently."""

    values: NDArray[np.float64]
    weights: NDArray[np.float64] | None

    def part(self, start: int, stop: int) -> _Block:
        weights = None if self.weights is None else self.weights[start:stop]
        return _Block(self.values[start:stop], weights)


def _grouped(
    blocks: Iterable[ArrayLike], weights: Iterable[ArrayLike] | None, k: int, cost: NamedCost, memory: int
) -> Iterator[NDArray[np.int64]]:
    door = _Door()
    admitted = _from_k_on(_weighed(blocks, weights, door), k, door)
    first = next(admitted, None)
    if first is None:
        if door.count == 0:
            msg = "the stream is empty; needed: at least one record"
            raise InputError(msg)
        as_count(k, "k", at_most=door.count)
        return
    kernel, tail = kernels.Stream(cost.code, k, _SEGMENT, weights is not None), Tail(k, memory)
    piece = max(_PIECE, 16 * k)
    try:
        for block in itertools.chain([first], admitted):
            cost.check(block.values)
            for start in range(0, len(block.values), piece):
                yield from _add(kernel, tail, block.part(start, start + piece))
        nothing = np.empty(0)
        yield from _add(kernel, tail, _Block(nothing, None if weights is None else nothing), ended=True)
        yield from tail.finish()
    finally:
        tail.close()


def _weighed(blocks: Iterable[ArrayLike], weights: Iterable[ArrayLike] | None, door: _Door) -> Iterator[_Block]:
    """The admitted blocks with the weights that belong to them."""
    if weights is None:
        yield from (_Block(door.admit(block), None) for block in blocks)
        return
    beside = iter(weights)
    for block in blocks:
        values = door.admit(block)
        given = next(beside, None)
        if given is None:
            raise InputError("weights holds fewer blocks than the stream; needed: one for every block of values")
        yield _Block(values, as_weights(given, len(values)) if len(values) or len(as_array(given)) else np.empty(0))
    if next(beside, None) is not None:
        raise InputError("weights holds more blocks than the stream; needed: one for every block of values")


def _from_k_on(blocks: Iterable[_Block], k: int, door: _Door) -> Iterator[_Block]:
    """The blocks, the first ones together once they hold k records: nothing of size k is made before."""
    waiting: list[_Block] | None = []
    for block in blocks:
        if waiting is None:
            yield block
            continue
        weights = None if block.weights is None else block.weights.copy()
        waiting.append(_Block(block.values.copy(), weights))  # the caller may fill the same array again
        if door.count >= k:
            yield _together(waiting)
            waiting = None


def _together(blocks: list[_Block]) -> _Block:
    weights = [block.weights for block in blocks if block.weights is not None]
    return _Block(np.concatenate([block.values for block in blocks]), np.concatenate(weights) if weights else None)


def _add(kernel: kernels.Stream, tail: Tail, block: _Block, *, ended: bool = False) -> Iterator[NDArray[np.int64]]:
    try:
        sizes, roots = kernel.push(block.values, ended, block.weights)
    except OverflowError as error:
        msg = f"{error}; needed: values of closer magnitudes; group their logarithms, or the whole column in memory"
        raise InputError(msg) from None
    if len(sizes):
        yield from tail.add(sizes, roots)


class _Door:
    """Validates block after block: numbers, finite, ascending from the first to the last."""

    def __init__(self) -> None:
        self.count = 0
        self._blocks = 0
        self._last = -np.inf
        self._origin = 0  # of integers that are beyond 2^53: costs do not change under translation

    def admit(self, block: ArrayLike) -> NDArray[np.float64]:
        """The block as floats; empty if it is."""
        self._blocks += 1
        array = as_array(block)
        if array.size == 0:
            return np.empty(0)
        values, is_sorted = as_column(self._shifted(array), shift_integers=False)
        if not is_sorted:
            msg = f"block {self._blocks} of the stream does not ascend; needed: sorted blocks; sort the records first"
            raise InputError(msg)
        if values[0] < self._last:
            msg = (
                f"block {self._blocks} of the stream starts below the end of the block before it; needed: blocks that "
                "ascend from one to the next; sort the records first"
            )
            raise InputError(msg)
        self._last = values[-1]
        self.count += len(values)
        return values

    def _shifted(self, array: NDArray[Any]) -> NDArray[Any]:
        """Integers beyond 2^53 relative to the first of the stream."""
        large = array.dtype.kind in "iu" and array.dtype.itemsize == 8
        if self.count == 0 and large and abs(int(array.flat[0])) > _EXACT:
            self._origin = int(array.flat[0])
        if self._origin == 0:
            return array
        if array.dtype.kind not in "iu":
            msg = (
                f"block {self._blocks} of the stream holds {array.dtype} after integers beyond 2^53; needed: one type; "
                "subtract an origin first"
            )
            raise InputError(msg)
        low, high = int(array.min()) - self._origin, int(array.max()) - self._origin
        if max(-low, high) > _EXACT:
            msg = "the stream holds integers spread over more than 2^53; needed: integers within 2^53 of each other"
            raise InputError(msg)
        bits = array.astype(np.int64 if array.dtype.kind == "i" else np.uint64).view(np.uint64)
        return (bits - np.uint64(self._origin % 2**64)).view(np.int64)  # what wraps around comes back
