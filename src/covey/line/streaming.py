"""Optimal univariate microaggregation of a stream: more records than memory holds, sorted, in blocks."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from covey._kernels import line as kernels
from covey.costs import COSTS, NamedCost, cost_name, find_cost, is_named
from covey.errors import InputError, OptionError
from covey.line.tail import Tail
from covey.utils.arrays import as_array, as_column, as_count

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import ArrayLike, NDArray

_PIECE = 2**17  # records that the kernel takes at a time
_SEGMENT = 2**12  # ends after which cuts may come out
_EXACT = 2**53


def stream(
    blocks: Iterable[ArrayLike], k: SupportsIndex, cost: str | NamedCost = "sse", *, tail_memory: SupportsIndex = 2**26
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
    least = as_count(k, "k")
    return _grouped(blocks, least, named, as_count(tail_memory, "tail_memory"))


def _grouped(blocks: Iterable[ArrayLike], k: int, cost: NamedCost, memory: int) -> Iterator[NDArray[np.int64]]:
    door = _Door()
    admitted = _from_k_on(blocks, k, door)
    first = next(admitted, None)
    if first is None:
        if door.count == 0:
            msg = "the stream is empty; needed: at least one record"
            raise InputError(msg)
        as_count(k, "k", at_most=door.count)
        return
    kernel, tail = kernels.Stream(cost.code, k, _SEGMENT), Tail(k, memory)
    piece = max(_PIECE, 16 * k)
    try:
        for values in itertools.chain([first], admitted):
            cost.check(values)
            for start in range(0, len(values), piece):
                yield from _add(kernel, tail, values[start : start + piece])
        yield from _add(kernel, tail, np.empty(0), ended=True)
        yield from tail.finish()
    finally:
        tail.close()


def _from_k_on(blocks: Iterable[ArrayLike], k: int, door: _Door) -> Iterator[NDArray[np.float64]]:
    """The admitted blocks, the first ones together once they hold k records: nothing of size k is made before."""
    waiting: list[NDArray[np.float64]] | None = []
    for block in blocks:
        values = door.admit(block)
        if waiting is not None:
            waiting.append(values.copy())  # the caller may fill the same array again
            if door.count < k:
                continue
            values, waiting = np.concatenate(waiting), None
        yield values


def _add(
    kernel: kernels.Stream, tail: Tail, values: NDArray[np.float64], *, ended: bool = False
) -> Iterator[NDArray[np.int64]]:
    try:
        sizes, roots = kernel.push(values, ended)
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
