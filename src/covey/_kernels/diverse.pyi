from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

# x ascends, colours are 0 .. m-1, objective 0 max, 1 sum, 2 sse. Groups of the points, lower bound, value.
_Answer: TypeAlias = tuple[NDArray[np.int32], float, float]

def window(
    x: NDArray[np.float64], colours: NDArray[np.int32], m: int, l: int, objective: int, seconds: float, most_bytes: int
) -> _Answer: ...
def gather(x: NDArray[np.float64], k: int) -> NDArray[np.int32]: ...
def guess(x: NDArray[np.float64], colours: NDArray[np.int32], m: int, l: int, most_bytes: int) -> _Answer: ...
def start(x: NDArray[np.float64], colours: NDArray[np.int32], m: int, l: int, objective: int) -> _Answer: ...
def table(
    x: NDArray[np.float64], colours: NDArray[np.int32], m: int, l: int, objective: int, seconds: float
) -> _Answer: ...
def mixed(
    x: NDArray[np.float64],
    colours: NDArray[np.int32],
    m: int,
    l: int,
    k: int,
    shares: bool,
    whole: bool,
    most_steps: int,
) -> NDArray[np.int32]: ...
def prices(
    x: NDArray[np.float64], colours: NDArray[np.int32], m: int, l: int, squares: bool, upper: float, steps: int
) -> NDArray[np.float64]: ...
def dies(
    x: NDArray[np.float64], colours: NDArray[np.int32], m: int, l: int, bound: float, first: int, last: int
) -> bool: ...
