import numpy as np
from numpy.typing import NDArray

# A row of codes a column, each below its number of values; sets of at most `most` columns. Where the sets of each record end, and all sets, a bit a column.
def minimal(codes: NDArray[np.int32], values: list[int], most: int) -> tuple[NDArray[np.int64], NDArray[np.uint32]]: ...
