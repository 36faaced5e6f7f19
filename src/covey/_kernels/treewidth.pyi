import numpy as np
from numpy.typing import NDArray

# A bag may have no more vertices than this.
most_in_bag: int

# Clusters by dynamic programming over a nice tree decomposition. The steps come children first: kind 0 leaf, 1 introduce, 2
# forget, 3 join; the vertex counts for 1 and 2. The balls are compressed rows: who is within the distance of whom. Returns
# (0, None): there are none, (1, labels), (2, None): time was up, (3, None): more memory would be needed.
def connected(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    ball_indptr: NDArray[np.int64],
    ball_indices: NDArray[np.int32],
    kinds: NDArray[np.int8],
    vertices: NDArray[np.int32],
    lower: int,
    upper: int,
    seconds: float,
    most_bytes: int,
) -> tuple[int, NDArray[np.int32] | None]: ...

# The same for clusters that need not be connected. May: who may be a centre, at least one vertex for each ball that lies in no
# other. Splits: every number from lower on can be cut into allowed sizes. Instead of labels, the number of clusters that each vertex opens.
def unconnected(
    ball_indptr: NDArray[np.int64],
    ball_indices: NDArray[np.int32],
    may: NDArray[np.bool_],
    kinds: NDArray[np.int8],
    vertices: NDArray[np.int32],
    lower: int,
    upper: int,
    splits: bool,
    seconds: float,
    most_bytes: int,
) -> tuple[int, NDArray[np.int32] | None]: ...
