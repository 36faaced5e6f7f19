"""Groups of at least l points of different colours in any metric, no wider than twice the least largest width.

Let D be the largest distance within a group of a best solution. Two points of the same colour are in different groups of it, and so are two
that are more than D apart. Centres, any two of which are one or the other, are thus in groups of their own, each with l points within D.

1. Begin with points more than D apart. All other points of a colour are matched to centres of other colours within D, one to each. Where
   some cannot be, there are (Hall) points A of the colour whose centres N(A) within D are fewer: A takes the place of N(A). The centres are again
   of the same colour or more than D apart, and more than before; so that ends, and with more than n / l of them D was too small.
2. Each centre is given l - 1 points of different colours within D, and every point a centre. Both by itself is possible, the former by the groups of
   the best solution, the latter by step 1; so both at once are (Mendelsohn & Dulmage 1958), and a flow finds them. If there is none, D was too small.

All points of a group are within D of its centre. The least D that is not refused is at most that of a best solution.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from covey.utils.extras import load

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.utils.typing import Flags, Labels, Points

    Places = NDArray[np.intp]


class Gathered(NamedTuple):
    """The group of every point, the centre of each group, and D: what the widest group of any solution is at least."""

    labels: Labels
    centres: Places
    within: float


def gather_colours(distances: Points, colours: Labels, l: int) -> Gathered | None:  # noqa: E741
    """Groups of at least l points of different colours, all within D of a centre among them; None where no D admits a solution.

    `distances` is a symmetric matrix, infinite where there is no way; `colours` are numbers from 0.
    """
    lengths = np.unique(distances[np.isfinite(distances)])
    low, high, best = 0, len(lengths), None
    while low < high:
        middle = (low + high) // 2
        groups = _groups(distances <= lengths[middle], colours, l)
        if groups is None:
            low = middle + 1
        else:
            high, best = middle, Gathered(*groups, float(lengths[middle]))
    return best


def _groups(near: Flags, colours: Labels, l: int) -> tuple[Labels, Places] | None:  # noqa: E741
    """The groups and centres for a D, by who is within it of whom; None where that is below the width of every solution."""
    centres = _far_apart(near)
    while len(centres) * l <= len(colours):
        crowd = _crowd(near, colours, centres)
        if crowd is None:
            return _assigned(near, colours, centres, l)
        centres = np.concatenate([np.setdiff1d(centres, crowd.centres), crowd.points])
    return None


def _far_apart(near: Flags) -> Places:
    """Points of which no two are near, and none could be added."""
    free, chosen = np.ones(len(near), dtype=bool), []
    for place in range(len(near)):
        if free[place]:
            chosen.append(place)
            free &= ~near[place]
    return np.array(chosen, dtype=np.intp)


class _Crowd(NamedTuple):
    """Points of one colour that are more than the centres of other colours near any of them."""

    points: Places
    centres: Places


def _crowd(near: Flags, colours: Labels, centres: Places) -> _Crowd | None:
    """Some points that cannot all be matched to centres; None where all points of every colour can."""
    sparse, matching = load("scipy.sparse"), load("scipy.sparse.csgraph").maximum_bipartite_matching
    others = np.setdiff1d(np.arange(len(colours)), centres)
    for colour in np.unique(colours[others]):
        points, targets = others[colours[others] == colour], centres[colours[centres] != colour]
        reach = near[np.ix_(points, targets)]
        matched = matching(sparse.csr_array(reach), perm_type="column")
        crowd = matched < 0
        if not crowd.any():
            continue
        while True:  # those who are matched to what these reach could make room only among themselves
            reached = reach[crowd].any(axis=0)
            more = crowd | ((matched >= 0) & np.append(reached, False)[matched])
            if (more == crowd).all():
                return _Crowd(points[crowd], targets[reached])
            crowd = more
    return None


def _assigned(near: Flags, colours: Labels, centres: Places, l: int) -> tuple[Labels, Places] | None:  # noqa: E741
    """Every point with a centre near it, no two of a colour with the same and at least l - 1 with each, by a flow; None where there is none.

    From the source one unit to each point; to a centre by its place for the point's colour, which takes one; to the sink l - 1 from each centre, and
    all beyond that through one last vertex, so that all reach the sink only if every centre has its l - 1.
    """
    sparse, flows = load("scipy.sparse"), load("scipy.sparse.csgraph")
    others = np.setdiff1d(np.arange(len(colours)), centres)
    n, c, m = len(others), len(centres), int(colours.max()) + 1
    row, column = np.nonzero(near[np.ix_(others, centres)] & (colours[others][:, None] != colours[centres]))
    place = n + column * m + colours[others][row]
    slots, centre, spare = n + np.arange(c * m), n + c * m + np.arange(c), n + c * m + c
    source, sink = spare + 1, spare + 2
    arcs = [
        (np.full(n, source), np.arange(n), np.ones(n)),
        (row, place, np.ones(len(row))),
        (slots, np.repeat(centre, m), np.ones(c * m)),
        (centre, np.full(c, sink), np.full(c, l - 1)),
        (centre, np.full(c, spare), np.full(c, m)),
        ([spare], [sink], [max(0, n - c * (l - 1))]),
    ]
    tails, heads, capacities = (np.concatenate([arc[part] for arc in arcs]).astype(np.int32) for part in range(3))
    network = sparse.csr_array((capacities, (tails, heads)), shape=(sink + 1, sink + 1))
    answer = flows.maximum_flow(network, source, sink)
    if answer.flow_value < n or n < c * (l - 1):
        return None
    flow = answer.flow.tocoo()
    used = (flow.data > 0) & (flow.row < n)
    labels = np.empty(len(colours), dtype=np.int32)
    labels[centres] = np.arange(c)
    labels[others[flow.row[used]]] = (flow.col[used] - n) // m
    return labels, centres
