"""The recount of a published network, from the published values alone. Shares nothing with what made them.

Takes columns as a stranger reads them: lists whose values may be numbers or text, missing ones None or empty.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from covey.errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    Columns = Mapping[str, Sequence[Any]]
    Flags = NDArray[np.bool_]
    Floats = NDArray[np.float64]


class Claims(NamedTuple):
    """What a release says of itself: what it must hold."""

    lower: int
    counts: str
    width: int
    """A range of counts holds at least this many of them, or all that are possible; 1 where counts are exact."""
    connected: bool
    directed: bool = False
    """Counts are of arcs: pairs are ordered."""
    keep: Sequence[str] = ()
    """What else is published of clusters: degrees, triangles."""


class NetworkRecount(NamedTuple):
    """What was counted."""

    smallest: int
    clusters: int
    vertices: int
    sizes: dict[int, int]
    """How many clusters there are of each size."""
    certain: int
    """How many rows tell that all of their links are there, or none."""


class _CertainLinks(NamedTuple):
    """The clusters whose published degrees tell that all members are linked with each other, and those where none is."""

    all_linked: Flags
    none_linked: Flags


def recount(vertices: Columns, edges: Columns, claims: Claims) -> NetworkRecount:
    """Count what is published; a `RefusedError` unless it holds what is claimed.

    Every size is at least `lower`. Ranges of counts are wide enough, hold their count, and stay within what is possible;
    densities follow from the counts; links that a range makes certain are flagged and no others.
    """
    place = {str(name): number for number, name in enumerate(vertices["cluster"])}
    if len(place) != len(vertices["cluster"]) or not place:
        raise _refused("clusters have no names of their own")
    sizes = _wholes(vertices["size"])
    if sizes.min() < claims.lower:
        raise _refused(f"a cluster has fewer than {claims.lower} vertices")
    ways = 2 if claims.directed else 1
    certain_links = _check_degrees(vertices["degrees"], sizes, claims.lower) if "degrees" in claims.keep else None
    _check_counts(
        vertices, sizes - 1 if claims.connected else 0 * sizes, ways * sizes * (sizes - 1) / 2, claims, certain_links
    )
    if "triangles" in claims.keep:
        _check_triangles(vertices, sizes, claims)
    tails, heads = ([place.get(str(name), -1) for name in edges[end]] for end in ("source", "target"))
    if -1 in tails or -1 in heads:
        raise _refused("an edge ends at a cluster that is not published")
    ends = list(zip(tails, heads, strict=True))
    listed = ends if claims.directed else map(frozenset, ends)
    if len(set(listed)) < len(ends) or any(a == b for a, b in ends):
        raise _refused("a pair of clusters is listed twice, or a cluster with itself")
    pairs = sizes[np.array(tails, dtype=np.intp)] * sizes[np.array(heads, dtype=np.intp)]
    _check_counts(edges, 0 * pairs, pairs, claims)
    certain = sum(_text(flag) != "" for flag in (*vertices["links"], *edges["links"]))
    counted = Counter(sizes.astype(int).tolist())
    return NetworkRecount(min(counted), len(place), int(sizes.sum()), dict(sorted(counted.items())), certain)


def _check_counts(
    columns: Columns, floor: Floats, pairs: Floats, claims: Claims, certain_links: _CertainLinks | None = None
) -> None:
    """Ranges, counts, densities, and the flags of links that these, or the degrees that are kept, make certain."""
    low, high = _wholes(columns["edges_low"]), _wholes(columns["edges_high"])
    if np.any(floor > low) or np.any(low > high) or np.any(high > pairs):
        raise _refused("a range of counts holds what is not possible")
    value, density = _numbers(columns["edges"]), _numbers(columns["density"])
    shown = ~np.isnan(value)
    narrow = high - low + 1 < np.minimum(claims.width, pairs - floor + 1)
    if np.any(narrow & (~shown | (claims.counts == "round"))):
        raise _refused("a range of counts is narrower than its rule says")
    middle = (low == high) & (floor + claims.width <= low) & (low <= pairs - claims.width)
    if claims.counts == "suppress" and np.any(shown & ~middle):
        raise _refused("a small count is published")
    if np.any(~shown & (~np.isnan(density) | (claims.counts != "suppress"))):
        raise _refused("a suppressed count has a density, or a count is missing")
    if np.any(
        shown & ((value < low) | (value > high) | (value != np.floor(value)) | ((pairs > 0) & np.isnan(density)))
    ):
        raise _refused("a count is out of its range, or has no density")
    if np.any(shown & (np.abs(density * pairs - value) > 1e-6)):
        raise _refused("a density does not follow from its published count")
    if not np.all(_as_the_rule_says(value - floor, low - floor, high - floor, pairs - floor, claims)):
        raise _refused("a range of counts is not the one that its rule makes of its count")
    every, none = (low == pairs), (high == 0)
    if certain_links is not None:
        every, none = every | certain_links.all_linked, none | certain_links.none_linked
    expected = np.where((pairs > 0) & every, "all", np.where((pairs > 0) & none, "none", ""))
    if [_text(flag) for flag in columns["links"]] != expected.tolist():
        raise _refused("links that are certain are not flagged, or others are")


def _as_the_rule_says(value: Floats, low: Floats, high: Floats, room: Floats, claims: Claims) -> Any:
    """Which ranges of counts above their floor are those that the rule makes; a count that is not a number is suppressed."""
    width = claims.width
    exact = (low == value) & (high == value)
    if claims.counts == "exact":
        return exact & (width == 1)
    if claims.counts == "round":
        around = (low == np.maximum(value - width + 1, 0)) & (high == np.minimum(value + width - 1, room))
        return around & (value % width == 0)
    tiny = room < 2 * width - 1
    few, many = (low == 0) & (high == width - 1), (low == room - width + 1) & (high == room)
    return np.where(np.isnan(value), np.where(tiny, (low == 0) & (high == room), few | many), exact)


def _check_degrees(column: Sequence[Any], sizes: Floats, lower: int) -> _CertainLinks:
    """Degrees are published of at least `lower` members each, and those of no or at least `lower` members are not; what they tell."""
    full, empty = np.zeros(len(sizes), dtype=bool), np.zeros(len(sizes), dtype=bool)
    for number, (text, size) in enumerate(zip(column, sizes.tolist(), strict=True)):
        parts = [re.fullmatch(r"([1-9][0-9]*) have ([0-9]+)", part) for part in _text(text).split("; ") if part]
        counts = [int(part[1]) for part in parts if part]
        degrees = {int(part[2]) for part in parts if part}
        others = size - sum(counts)
        if len(degrees) < len(parts) or min(counts, default=lower) < lower or max(degrees, default=0) >= size:
            raise _refused("the degrees of a cluster are not possible, or those of too few members")
        if others < 0 or 0 < others < lower:
            raise _refused("too few members of a cluster are left whose degree is not published")
        full[number], empty[number] = others == 0 and degrees == {size - 1}, others == 0 and degrees == {0}
    return _CertainLinks(full, empty)


def _check_triangles(columns: Columns, sizes: Floats, claims: Claims) -> None:
    """Ranges are as wide as the rule says, or hold all that is possible, and their values lie in them."""
    low, high = _wholes(columns["triangles_low"]), _wholes(columns["triangles_high"])
    value, n = _numbers(columns["triangles"]), sizes.sum()
    most = sizes * (n - 1) * (n - 2) / 2
    narrow = high - low + 1 < np.minimum(claims.width, most + 1)
    shown = ~np.isnan(value)
    if np.any((low < 0) | (high > most) | (narrow & (~shown | (claims.counts == "round")))):
        raise _refused("a range of triangles is not possible, or narrower than its rule says")
    if np.any(shown & ((value < low) | (value > high))) or np.any(~shown & (claims.counts != "suppress")):
        raise _refused("a count of triangles is out of its range, or missing")
    if claims.counts == "suppress" and np.any(shown & (value < np.minimum(claims.width, most + 1))):
        raise _refused("a small count of triangles is published")


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
    for tail, head in edges:
        pair = frozenset((tail, head))
        if len(pair) < 2 or pair in seen or tail not in degree or head not in degree:
            raise _refused("the graph has a loop, a repeated edge or an edge to nowhere")
        seen.add(pair)
        degree[tail] += 1
        degree[head] += 1
    return min(Counter(degree.values()).values())


def _numbers(column: Sequence[Any]) -> Floats:
    """A column as numbers; what is missing is not a number."""
    try:
        return np.array([np.nan if value is None or value == "" else value for value in column], dtype=np.float64)
    except (TypeError, ValueError):
        raise _refused("a count is no number") from None


def _wholes(column: Sequence[Any]) -> Floats:
    found = _numbers(column)
    if np.any(found != np.floor(found)):  # nothing equals what is missing
        raise _refused("a count is missing, or no whole number")
    return found


def _text(value: Any) -> str:
    return "" if value is None or value != value else str(value)  # noqa: PLR0124


def _refused(what: str) -> RefusedError:
    return RefusedError(f"the recount of the published network failed: {what}; nothing was written")
