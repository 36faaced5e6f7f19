import numpy as np
from numpy.typing import NDArray

# indptr has n + 1 entries; indices both directions of every edge, ascending within a row, no loops, none twice; lengths as
# many as indices, at least 0, or None: every edge has length 1.

# For each vertex all vertices within the radius, ascending, and their distances; None: more than `most` pairs.
def balls(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    lengths: NDArray[np.float64] | None,
    radius: float,
    most: int,
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]] | None: ...

# Infinity where there is no path.
def distances_from(
    indptr: NDArray[np.int64], indices: NDArray[np.int32], lengths: NDArray[np.float64] | None, source: int
) -> NDArray[np.float64]: ...

# Numbered by their first vertices.
def components(indptr: NDArray[np.int64], indices: NDArray[np.int32]) -> NDArray[np.int32]: ...

# The first vertex whose small pieces and itself exceed `upper`, or -1.
def blocking_vertex(indptr: NDArray[np.int64], indices: NDArray[np.int32], lower: int, upper: int) -> int: ...

# Connected clusters of at least `lower`, at most `upper` wherever that is found, numbered by their first vertices. A
# component below `lower` is a cluster of its own. `of_sum`: the sum of distances comes before the radius.
def carve(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    lengths: NDArray[np.float64] | None,
    lower: int,
    upper: int,
    seed: int,
    of_sum: bool = False,
) -> NDArray[np.int32]: ...

# For each cluster a centre, for each vertex its true distance to the centre of its cluster. Labels are 0, 1, ..., none left
# out. Up to 2048 vertices each centre is the best vertex of the graph; above that, clusters must be connected.
def centres(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    lengths: NDArray[np.float64] | None,
    labels: NDArray[np.int32],
    of_sum: bool = False,
) -> tuple[NDArray[np.int32], NDArray[np.float64]]: ...

# A radius that every partition into clusters of at least `lower` needs; components below `lower` do not count.
def least_radius(
    indptr: NDArray[np.int64], indices: NDArray[np.int32], lengths: NDArray[np.float64] | None, lower: int
) -> float: ...

# A sum of distances that every partition into clusters of `lower` to `most` needs, where larger ones could be cut into such;
# components below `lower` do not count.
def least_sum(
    indptr: NDArray[np.int64], indices: NDArray[np.int32], lengths: NDArray[np.float64] | None, lower: int, most: int
) -> float: ...

# Clusters of at least `lower` that need not be connected: labels, heads, distances to them, and D: the distances are at most D,
# and no radius is below D / 2. None: more than `most` pairs within D, or a component below `lower`.
def gather(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    lengths: NDArray[np.float64] | None,
    lower: int,
    most: int,
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float64], float] | None: ...
