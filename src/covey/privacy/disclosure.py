"""How much more likely a sensitive value becomes for who knows the class."""

from __future__ import annotations

import numpy as np

from covey.privacy.counts import Counts, of_counts


@of_counts("Lower is better.")
def beta_likeness(counts: Counts) -> float:
    """The largest relative gain (q - p) / p of a value that is more frequent in a class than overall (Cao & Karras 2012).

    Examples
    --------
    >>> from covey.privacy import count
    >>> beta_likeness(count(np.array([0, 0, 1, 1]), np.array([1, 1, 2, 2])))
    1.0
    """
    p = counts.overall[counts.value]
    return float(np.maximum(0.0, (counts.share - p) / p).max(initial=0.0))


@of_counts("Lower is better.")
def enhanced_beta_likeness(counts: Counts) -> float:
    """The least beta for which gains stay within min(beta, -ln p); infinity where a gain exceeds -ln p itself.

    pycanon compares the largest gain with the largest -ln p of any value; here each gain stands beside its own.

    Examples
    --------
    >>> from covey.privacy import count
    >>> enhanced_beta_likeness(count(np.array([0, 0, 1, 1]), np.array([1, 1, 2, 2])))
    inf
    """
    p = counts.overall[counts.value]
    gain = np.maximum(0.0, (counts.share - p) / p)
    return float(np.where(gain > -np.log(p) + 1e-12, np.inf, gain).max(initial=0.0))


@of_counts("Lower is better.")
def delta_disclosure(counts: Counts) -> float:
    """The largest abs(ln(q / p)) of a value that occurs in a class (Brickell & Shmatikov 2008).

    As in pycanon and ARX, values that a class does not hold do not count: their ratio would always be infinite.

    Examples
    --------
    >>> from covey.privacy import count
    >>> round(delta_disclosure(count(np.array([0, 0, 1, 1]), np.array([1, 1, 2, 2]))), 6)
    0.693147
    """
    p = counts.overall[counts.value]
    return float(np.abs(np.log(counts.share / p)).max(initial=0.0))
