"""The kinds of arrays that many files speak of, each by one name. Import them where types are checked only."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Codes: TypeAlias = NDArray[np.int64]
"""A number for every record: that of its value, class, cell, unit or group."""
Rows: TypeAlias = NDArray[np.int64]
"""Places of records in a table."""
Integers: TypeAlias = NDArray[np.int64]
"""Any other whole numbers: counts, degrees, ends of ranges."""
Floats: TypeAlias = NDArray[np.float64]
"""A number for every record, or any other row of numbers."""
Points: TypeAlias = NDArray[np.float64]
"""Coordinates: records in rows, one column for each coordinate."""
Flags: TypeAlias = NDArray[np.bool_]
"""Whether something holds, for every record."""
Labels: TypeAlias = NDArray[np.int32]
"""The group of every record, as a `Partition` holds it: groups are numbered by first appearance."""
Numbers: TypeAlias = NDArray[np.uint64]
"""Numbers of 64 bits that stand for values, as hashes have them."""
Progress: TypeAlias = Callable[[str], object]
"""What is called with a sentence about the step that begins."""
