"""Round numbers: steps and marks of axes that a person reads."""

from __future__ import annotations

import math


def round_above(least: float) -> float:
    """The least of 1, 2, 5, 10, ... times a power of ten that is no smaller; 1 for nothing.

    >>> [round_above(least) for least in (0.03, 0.07, 1.0, 21.0, 0.0)]
    [0.05, 0.1, 1.0, 50.0, 1.0]
    """
    power = 10.0 ** math.floor(math.log10(least)) if least > 0 else 1.0
    return next(power * factor for factor in (1.0, 2.0, 5.0, 10.0) if power * factor >= least * (1 - 1e-12))


def marks(most: float, number: int = 4, least: float = 0.0) -> list[float]:
    """Round numbers from 0 up to what reaches `most`, about so many, at least `least` apart.

    >>> marks(0.23), marks(100.0), marks(0.0), marks(2.0, least=1.0)
    ([0.0, 0.1, 0.2, 0.3], [0.0, 50.0, 100.0], [0.0, 1.0], [0.0, 1.0, 2.0])
    """
    step = max(least, round_above(most / number))
    steps = max(1, math.ceil(most / step - 1e-9))
    return [float(f"{step * place:.12g}") for place in range(steps + 1)]
