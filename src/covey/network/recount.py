"""The recount of a published network, from the published values alone. Shares nothing with what made them.

Takes rows as a stranger reads them: dictionaries whose values may be numbers or text, missing ones None or empty.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from covey.errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    Row = Mapping[str, Any]

NUMBERS = ("size", "edges", "edges_low", "edges_high", "density")


class Claims(NamedTuple):
    """What a release says of itself: what it must hold."""

    lower: int
    counts: str
    width: int
    """A range of counts holds at least this many of them, or all that are possible; 1 where counts are exact."""
    connected: bool


class NetworkRecount(NamedTuple):
    """What was counted."""

    smallest: int
    clusters: int
    vertices: int
    sizes: dict[int, int]
    """How many clusters there are of each size."""
    certain: int
    """How many rows tell that all of their links are there, or none."""


def recount(vertices: Sequence[Row], edges: Sequence[Row], claims: Claims) -> NetworkRecount:
    """Count what is published; a `RefusedError` unless it holds what is claimed.

    Every size is at least `lower`. Ranges of counts are wide enough, hold their count, and stay within what is possible;
    densities follow from the counts; links that a range makes certain are flagged and no others.
    """
    sizes = {str(row["cluster"]): _whole(row["size"]) for row in vertices}
    if len(sizes) != len(vertices) or not sizes:
        raise _refused("clusters have no names of their own")
    if min(sizes.values()) < claims.lower:
        raise _refused(f"a cluster has fewer than {claims.lower} vertices")
    for row in vertices:
        size = _whole(row["size"])
        _check_counts(row, size - 1 if claims.connected else 0, size * (size - 1) // 2, claims)
    pairs = [(str(row["source"]), str(row["target"])) for row in edges]
    if len({frozenset(pair) for pair in pairs}) < len(pairs) or any(one == other for one, other in pairs):
        raise _refused("a pair of clusters is listed twice, or a cluster with itself")
    for (one, other), row in zip(pairs, edges, strict=True):
        if one not in sizes or other not in sizes:
            raise _refused("an edge ends at a cluster that is not published")
        _check_counts(row, 0, sizes[one] * sizes[other], claims)
    certain = sum(_text(row["links"]) != "" for row in (*vertices, *edges))
    return NetworkRecount(
        min(sizes.values()), len(sizes), sum(sizes.values()), dict(sorted(Counter(sizes.values()).items())), certain
    )


def _check_counts(row: Row, floor: int, pairs: int, claims: Claims) -> None:
    low, high = _whole(row["edges_low"]), _whole(row["edges_high"])
    if not floor <= low <= high <= pairs:
        raise _refused("a range of counts holds what is not possible")
    value = row["edges"] if _text(row["edges"]) else None
    wide = high - low + 1 >= min(claims.width, pairs - floor + 1)
    if not wide and (claims.counts == "round" or value is None):
        raise _refused("a range of counts is narrower than its rule says")
    middle = low == high and floor + claims.width <= low <= pairs - claims.width
    if claims.counts == "suppress" and value is not None and not middle:
        raise _refused("a small count is published")
    density = float(row["density"]) if _text(row["density"]) else None
    if value is None:
        if density is not None or claims.counts != "suppress":
            raise _refused("a suppressed count has a density, or a count is missing")
    elif not low <= _whole(value) <= high or (pairs and density is None):
        raise _refused("a count is out of its range, or has no density")
    elif density is not None and not math.isclose(density, _whole(value) / pairs, rel_tol=1e-9, abs_tol=1e-12):
        raise _refused("a density does not follow from its published count")
    expected = "" if pairs == 0 else "all" if low == pairs else "none" if high == 0 else ""
    if _text(row["links"]) != expected:
        raise _refused("links that are certain are not flagged, or others are")


def check_unnamed(texts: Iterable[Any], names: Iterable[Any]) -> None:
    """Refuse published text that is the name of a vertex, whatever its case; numbers are no names here."""
    published = {str(text).strip().casefold() for text in texts if isinstance(text, str)}
    found = len(published & {str(name).strip().casefold() for name in names})
    if found:
        msg = f"{found} published values are names of vertices; nothing is published; leave out or recode those attributes"
        raise RefusedError(msg)


def degree_anonymity(edges: Iterable[tuple[Any, Any]], vertices: Iterable[Any]) -> int:
    """The k of k-degree anonymity of a graph: the least number of vertices that share a degree. Refuses loops and doubles."""
    degree = dict.fromkeys(vertices, 0)
    seen: set[frozenset[Any]] = set()
    for one, other in edges:
        pair = frozenset((one, other))
        if len(pair) < 2 or pair in seen or one not in degree or other not in degree:
            raise _refused("the graph has a loop, a repeated edge or an edge to nowhere")
        seen.add(pair)
        degree[one] += 1
        degree[other] += 1
    return min(Counter(degree.values()).values())


def _whole(value: Any) -> int:
    try:
        number = int(value)
        if number == float(value):
            return number
    except (TypeError, ValueError):
        pass
    raise _refused("a count is no whole number")


def _text(value: Any) -> str:
    return "" if value is None or value != value else str(value)  # noqa: PLR0124


def _refused(what: str) -> RefusedError:
    return RefusedError(f"the recount of the published network failed: {what}; nothing was written")
