"""Room on disk for arrays that do not fit the memory set aside for them, gone with the process."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covey.errors import OutputError
from covey.utils.tempfiles import nameless_file

if TYPE_CHECKING:
    from io import FileIO

    from numpy.typing import NDArray


class Spill:
    """A temporary file without a name: nothing is left after a crash.

    >>> spill = Spill()
    >>> place = spill.store(np.array([3, 4, 5], dtype=np.uint32))
    >>> spill.load(place, 3)
    array([3, 4, 5], dtype=uint32)
    >>> spill.close()
    """

    def __init__(self) -> None:
        self._file: FileIO | None = None
        self._size = 0

    def store(self, values: NDArray[np.uint32]) -> int:
        """Where the values now are."""
        place = self._size
        try:
            file = self._opened()
            file.seek(place)
            left = values.data.cast("B")
            while left:
                left = left[file.write(left) :]
        except OSError as error:
            msg = (
                f"the undecided tail of the stream cannot be stored: {error.strerror}; needed: room in the temporary "
                "folder (TMPDIR), or more memory for the tail"
            )
            raise OutputError(msg) from None
        self._size += values.nbytes
        return place

    def load(self, place: int, count: int) -> NDArray[np.uint32]:
        """`count` values from a place on."""
        values = np.empty(count, dtype=np.uint32)
        file = self._opened()
        file.seek(place)
        left = values.data.cast("B")
        while left:
            read = file.readinto(left)
            if not read:
                msg = "the undecided tail of the stream was cut short on disk"
                raise OutputError(msg)
            left = left[read:]
        return values

    def _opened(self) -> FileIO:
        if self._file is None:
            self._file = nameless_file()
        return self._file

    def clear(self) -> None:
        """Give the room back: nothing that is stored is needed any more."""
        if self._size:
            self._opened().truncate(0)
            self._size = 0

    def close(self) -> None:
        """Delete the file."""
        if self._file is not None:
            self._file.close()
            self._file = None
