"""Components of a network that are smaller than a cluster may be: refused, or not published."""

from __future__ import annotations

from typing import Any

import numpy as np

from covey._kernels import network as kernels
from covey.errors import InfeasibleError, OptionError, shown
from covey.network.directions import round_trips
from covey.network.formats import LoadedNetwork
from covey.network.graph import build
from covey.utils.arrow import pa
from covey.utils.notes import Note, NoteKind

SMALL_COMPONENTS = ("error", "suppress")
SUPPRESSED = Note(
    NoteKind.NETWORK, "vertices of components that are smaller than a cluster must be are not published", public=True
)


def check_small_components(chosen: Any, *, given: bool) -> None:
    """Refuse a choice that is none, or that would have no effect beside clusters that are given."""
    if chosen not in SMALL_COMPONENTS:
        raise OptionError(f"small_components is {shown(chosen)}; needed: one of {', '.join(SMALL_COMPONENTS)}")
    if given and chosen == "suppress":
        msg = "small_components is 'suppress' beside a solution, which has clusters of all vertices; leave one of them out"
        raise OptionError(msg)


def without_small_components(loaded: LoadedNetwork, lower: int, *, follow: bool = False) -> tuple[LoadedNetwork, bool]:
    """The network without its components below `lower`, and whether there were any; O(n + m log m).

    With `follow`, components are those of vertices with ways there and back, as distances along directions have it.

    >>> from covey.network.reading import as_network
    >>> whole = LoadedNetwork(as_network([("a", "b"), ("b", "c"), ("x", "y")]), {}, ())
    >>> without_small_components(whole, 3)[0].network
    <Network: 3 vertices, 2 edges of length 1>
    """
    network = loaded.network
    near = round_trips(network) if follow else network
    component = kernels.components(near.indptr, near.indices)
    stays = np.bincount(component)[component] >= lower
    if stays.all():
        return loaded, False
    kept = np.flatnonzero(stays)
    if len(kept) == 0:
        msg = f"every component has fewer than lower = {lower} vertices, so nothing is left to release; lower `lower`"
        raise InfeasibleError(msg)
    place = np.cumsum(stays) - 1
    tails, heads, lengths = network.links
    inside = stays[tails] & stays[heads]
    smaller = build(
        len(kept),
        place[tails[inside]],
        place[heads[inside]],
        None if lengths is None else lengths[inside],
        [network.names[vertex] for vertex in kept.tolist()],
        directed=network.directed,
    )
    attributes = {name: _taken(column, kept) for name, column in loaded.attributes.items()}
    text = f"{network.n - len(kept)} vertices of components below lower = {lower} are not published"
    note = Note(NoteKind.NETWORK, text)
    return LoadedNetwork(smaller, attributes, (*network.notes, *loaded.notes, note)), True


def _taken(column: Any, kept: Any) -> Any:
    """Those values of an Arrow array or a list."""
    return column.take(pa.array(kept)) if hasattr(column, "take") else [column[place] for place in kept]
