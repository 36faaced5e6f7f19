"""The undecided tail of a stream: segments of back-pointers, and the cuts that all of their paths share.

The lemma and the rule for equal candidates stand in `_kernels/line/stream.hpp`.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from covey._kernels import line as kernels
from covey.line.spill import Spill

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray


@dataclass
class Segment:
    """The ends start+1 .. stop: for each the size of its last group; for each live position at stop its root.

    Both lie in one array, sizes first, which is None while it is on disk.
    """

    start: int
    stop: int
    numbers: NDArray[np.uint32] | None
    place: int = 0


class Tail:
    """What is not yet decided. `add` a segment, and the cuts come out that are certified by it; `finish` gives the rest.

    `_roots[d]` says where the path of the position d before the last end passes the end of the oldest segment; when all
    of them are one, the paths have met. Then the newest segment at whose end they have met is looked for, and all up to
    there is decided. O(k) a segment, and what is met is looked at once more. At most `memory` bytes stay in memory.
    """

    def __init__(self, k: int, memory: int) -> None:
        self._live = 2 * k - 1
        self._memory = memory
        self._segments: deque[Segment] = deque()
        self._roots = np.arange(self._live, dtype=np.uint32)
        self._stop = 0
        self._held = 0  # bytes in memory
        self._spill = Spill()

    def add(self, sizes: NDArray[np.uint32], roots: NDArray[np.uint32]) -> Iterator[NDArray[np.int64]]:
        """Append a segment; the cuts that this certifies, an array a segment."""
        numbers = np.concatenate([sizes, roots])
        self._segments.append(Segment(self._stop, self._stop + len(sizes), numbers))
        self._stop += len(sizes)
        self._held += numbers.nbytes
        everywhere = np.arange(self._live, dtype=np.uint32)
        self._roots = everywhere if len(self._segments) == 1 else self._roots[roots]
        if len(self._segments) > 1 and _all_one(self._roots):
            yield from self._certified(everywhere)
        self._make_room()

    def finish(self) -> Iterator[NDArray[np.int64]]:
        """The cuts of the path that ends with the stream."""
        yield from self._emit(len(self._segments), 0)

    def close(self) -> None:
        """Forget everything."""
        self._segments.clear()
        self._spill.close()

    def _certified(self, image: NDArray[np.uint32]) -> Iterator[NDArray[np.int64]]:
        for place in range(len(self._segments) - 1, 0, -1):
            earlier = self._roots_of(self._segments[place])[image]
            if _all_one(earlier):
                self._roots = image
                yield from self._emit(place, int(earlier[0]))
                return
            image = earlier

    def _emit(self, count: int, root: int) -> Iterator[NDArray[np.int64]]:
        """The cuts of the oldest `count` segments on the path that passes `root` before the last end of these."""
        exits = [root]
        for place in range(count - 1, 0, -1):
            exits.append(self._root_of(self._segments[place], exits[-1]))
        for before_stop in reversed(exits):
            segment = self._segments.popleft()
            numbers = self._numbers(segment)
            self._held -= numbers.nbytes if segment.numbers is not None else 0
            if not self._segments or self._segments[0].numbers is not None:
                self._spill.clear()
            sizes = numbers[: segment.stop - segment.start]
            ends = kernels.ends_of(sizes, len(sizes) - before_stop, segment.start)
            if len(ends):
                yield ends

    def _make_room(self) -> None:
        """Oldest first: these are needed last, when all before them is decided."""
        for segment in self._segments:
            if self._held <= self._memory:
                return
            if segment.numbers is not None:
                segment.place = self._spill.store(segment.numbers)
                self._held -= segment.numbers.nbytes
                segment.numbers = None

    def _numbers(self, segment: Segment) -> NDArray[np.uint32]:
        if segment.numbers is not None:
            return segment.numbers
        return self._spill.load(segment.place, segment.stop - segment.start + self._live)

    def _roots_of(self, segment: Segment) -> NDArray[np.uint32]:
        size = segment.stop - segment.start
        if segment.numbers is not None:
            return segment.numbers[size:]
        return self._spill.load(segment.place + 4 * size, self._live)

    def _root_of(self, segment: Segment, before_stop: int) -> int:
        size = segment.stop - segment.start
        if segment.numbers is not None:
            return int(segment.numbers[size + before_stop])
        return int(self._spill.load(segment.place + 4 * (size + before_stop), 1)[0])


def _all_one(roots: NDArray[np.uint32]) -> bool:
    return bool((roots == roots[0]).all())
