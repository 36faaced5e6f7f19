"""Two releases of the same records, and whom they single out together."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from covey.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Codes = NDArray[np.int64]

_MOST_TRIPLES = 50_000_000


class Together(NamedTuple):
    """Records of the first release: singled out for certain, possibly, and not found in the second at all.

    Attributes
    ----------
    certainly
        Records that all classes they fit leave among fewer than k.
    possibly
        Records that some class leaves so.
    not_found
        Records without a counterpart.

    Examples
    --------
    >>> Together(certainly=1, possibly=2, not_found=0).possibly
    2
    """

    certainly: int
    possibly: int
    not_found: int


def singled_out_together(first: Codes, first_links: Codes, second: Codes, second_links: Codes, k: int) -> Together:
    """Count the records that both releases together put among fewer than k.

    `first` and `second` are the classes of the records in each release, the links what both publish unchanged (numbered alike
    in both). Someone who knows the class of a target in both looks for records of the one class whose link occurs in the other.
    A record that fits several classes of the second release counts as possible if any, as certain if all leave fewer than k.

    Parameters
    ----------
    first, second
        The classes of the records in each release, as numbers.
    first_links, second_links
        What both publish unchanged, numbered alike in both.
    k
        Fewer than so many records single one out.

    Returns
    -------
    Together
        How many records of the first release.

    Examples
    --------
    >>> a, b = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    >>> singled_out_together(a, np.arange(4), b, np.arange(4), 2)
    Together(certainly=4, possibly=4, not_found=0)
    """
    mine, number = np.unique(np.column_stack([first_links, first]), axis=0, return_counts=True)
    other = np.unique(np.column_stack([second_links, second]), axis=0)
    low = np.searchsorted(other[:, 0], mine[:, 0], side="left")
    high = np.searchsorted(other[:, 0], mine[:, 0], side="right")
    width = high - low
    if int(width.sum()) > _MOST_TRIPLES:
        raise InputError(
            "the two releases share too few different values to say which records belong together; needed: a column with "
            "many values in both; name it with --link"
        )
    row = np.repeat(np.arange(len(mine)), width)
    at = np.arange(int(width.sum())) - np.repeat(np.cumsum(width) - width, width) + np.repeat(low, width)
    pair = mine[row, 1] * (int(second.max(initial=0)) + 1) + other[at, 1]
    _, both = np.unique(pair, return_inverse=True)
    few = (np.bincount(both, weights=number[row]) < k)[both] if len(both) else np.zeros(0, dtype=bool)
    any_few = np.zeros(len(mine), dtype=bool)
    all_few = width > 0
    np.logical_or.at(any_few, row, few)
    np.logical_and.at(all_few, row, few)
    return Together(int(number[all_few].sum()), int(number[any_few].sum()), int(number[width == 0].sum()))
