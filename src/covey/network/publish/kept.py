"""What a release of a network may keep beside counts of edges, for samples that are more like the original. Asked for by `keep`.

"degrees": how many members of a cluster have how many neighbours inside it. A degree is published of so many members as share it, at least `lower`,
rounded down; the other members, whose degree is not published, are none or at least `lower`. So whatever is known of a vertex, the members of its
cluster that are published with its degree, or the others, are its candidates: at least `lower`.

"triangles": at how many triangles the members of a cluster are corners, wherever the other corners are; by the rule of counts. It tells members
of a cluster apart in no way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from covey.errors import InputError, OptionError, shown
from covey.network.publish.rounding import SUPPRESSED, CountRule
from covey.utils import randomness
from covey.utils.arrow import Array, Table, pa

if TYPE_CHECKING:
    from covey.core.partition import Partition
    from covey.network.graph import Network
    from covey.utils.typing import Integers

COLUMNS = {"degrees": ("degrees",), "triangles": ("triangles", "triangles_low", "triangles_high")}
"""What can be kept, and the columns of the clusters that hold it."""


def check_keep(keep: object, *, directed: bool) -> tuple[str, ...]:
    """What is kept, in its order; an error for what cannot be."""
    if isinstance(keep, str) or not isinstance(keep, Sequence) or not set(keep) <= set(COLUMNS):
        raise OptionError(f"keep is {shown(keep)}; needed: a list of {', '.join(COLUMNS)}, or an empty one")
    if keep and directed:
        msg = "keep is given, and the network is directed; needed: an undirected one; leave it out, or drop directions (directed=False, --undirected)"
        raise InputError(msg)
    return tuple(name for name in COLUMNS if name in keep)


def kept_columns(
    network: Network, partition: Partition, rule: CountRule, lower: int, keep: tuple[str, ...], secret: str
) -> dict[str, Array]:
    """The columns of what is kept, in the order of the partition; O(m^1.5)."""
    columns: dict[str, Array] = {}
    if "degrees" in keep:
        columns["degrees"] = pa.array(_degrees(network, partition, rule, lower), pa.string())
    if "triangles" in keep:
        corners = np.bincount(partition.labels, weights=corners_of(network), minlength=len(partition)).astype(np.int64)
        most = partition.sizes * ((network.n - 1) * (network.n - 2) // 2)
        coins = randomness.uniform(secret, "triangles", len(corners))
        ranges = rule.publish(corners, np.zeros_like(corners), most, coins)
        values = [pa.array(ranges.value, mask=ranges.value == SUPPRESSED), pa.array(ranges.low), pa.array(ranges.high)]
        columns |= dict(zip(COLUMNS["triangles"], values, strict=True))
    return columns


def _degrees(network: Network, partition: Partition, rule: CountRule, lower: int) -> list[str]:
    tails, heads, _ = network.edges()
    same = partition.labels[tails] == partition.labels[heads]
    inside = np.bincount(np.concatenate([tails[same], heads[same]]), minlength=network.n)
    step = rule.base if rule.kind == "round" else 1
    least = max(lower, rule.threshold) if rule.kind == "suppress" else lower
    return [as_text(listed(inside[group], lower, least, step)) for group in partition.groups()]


def listed(degrees: Integers, lower: int, least: int, step: int) -> dict[int, int]:
    """Of how many members each degree is published: at least `least`, rounded down by `step`; the others are none or at least `lower`.

    >>> listed(np.array([2, 2, 2, 2, 2, 3, 3, 3, 1]), 3, 3, 1)
    {2: 5}
    """
    values, counts = np.unique(degrees, return_counts=True)
    kept = {
        degree: least + (count - least) // step * step
        for degree, count in zip(values.tolist(), counts.tolist(), strict=True)
        if count >= least
    }
    others = len(degrees) - sum(kept.values())
    if 0 < others < lower:
        del kept[min(kept, key=lambda degree: (kept[degree], -degree))]
    return kept


def as_text(kept: dict[int, int]) -> str:
    """The members that a degree is published of, as a column holds them.

    >>> as_text({2: 5, 3: 4})
    '5 have 2; 4 have 3'
    """
    return "; ".join(f"{count} have {degree}" for degree, count in kept.items())


def from_text(text: str | None) -> dict[int, int]:
    """What `as_text` wrote.

    >>> from_text("5 have 2; 4 have 3")
    {2: 5, 3: 4}
    """
    parts = [part.split(" have ") for part in (text or "").split("; ") if part]
    return {int(degree): int(count) for count, degree in parts}


def with_certain_links(vertices: Table) -> Table:
    """The published clusters, flagged where the degrees of all members tell that all are linked with each other, or none."""
    sizes, texts = vertices["size"].to_pylist(), vertices["degrees"].to_pylist()
    by_degrees = [
        "all" if text == as_text({size - 1: size}) else "none" if text == as_text({0: size}) else ""
        for size, text in zip(sizes, texts, strict=True)
    ]
    links = [flag or known for flag, known in zip(vertices["links"].to_pylist(), by_degrees, strict=True)]
    return vertices.set_column(vertices.column_names.index("links"), "links", pa.array(links, pa.string()))


def corners_of(network: Network) -> Integers:
    """At how many triangles each vertex is a corner; every edge looks at the neighbours of its end that has fewer."""
    near = [set(network.indices[a:b].tolist()) for a, b in zip(network.indptr[:-1], network.indptr[1:], strict=True)]
    corners = np.zeros(network.n, dtype=np.int64)
    for tail, head in zip(*(ends.tolist() for ends in network.edges()[:2]), strict=True):
        for third in near[tail] & near[head]:
            corners[third] += 1
    return corners


def candidates_of(columns: Mapping[str, Sequence[object]]) -> Integers:
    """For each vertex of a published super-graph how many of its cluster are published as it is: with its degree, or without any.

    >>> candidates_of({"size": [4, 6], "degrees": ["", "3 have 2"]}).tolist()
    [4, 4, 4, 4, 3, 3, 3, 3, 3, 3]
    """
    sizes = [int(str(size)) for size in columns["size"]]
    groups: list[int] = []
    for size, text in zip(sizes, columns.get("degrees", [""] * len(sizes)), strict=True):
        kept = list(from_text(str(text or "")).values())
        groups += [*kept, size - sum(kept)]
    alike = np.array(groups, dtype=np.int64)
    return np.repeat(alike, alike)
