"""Attributes of vertices: one value a cluster, of those attributes only that are asked for.

Stated rules. Numbers: the mean, in the column's own type and with no more decimals than at least `lower` vertices use. Ordered categories: the median, of an even number the lower one
(of numbers the mean of the two).
Unordered ones: the mode; of equally frequent values the one more frequent in the whole network, then the first in order.
Missing values do not enter, and a cluster of which fewer than `lower` vertices have a value gets none: it would be the value of
too few. A median or mode that is the value of one vertex alone is left out. An attribute without a kind is not published.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.columns.aggregation import Aggregate, aggregate_column
from covey.columns.grain import Grain
from covey.columns.values import NUMBERS, Values, read_values
from covey.errors import InputError, OptionError, shown
from covey.network.publish.kept import COLUMNS as KEPT
from covey.network.publish.supergraph import VERTEX_COLUMNS
from covey.utils.arrow import Array, Column, pa
from covey.utils.frame import is_frame, to_arrow
from covey.utils.notes import Note, NoteKind

if TYPE_CHECKING:
    from covey.core.partition import Partition
    from covey.network.graph import Network
    from covey.utils.typing import Flags

Columns = Mapping[str, Any]
"""The attributes of all vertices by name, each an Arrow array or a list in the order of the network."""


@dataclass(frozen=True)
class Kinds:
    """Which attributes are published, and as what. `ordered` has the categories from low to high; () if the column knows."""

    numeric: tuple[str, ...] = ()
    ordered: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unordered: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """All of them."""
        return (*self.numeric, *self.ordered, *self.unordered)

    @property
    def aggregates(self) -> dict[str, Aggregate]:
        """What is published of each."""
        kinds: tuple[tuple[Iterable[str], Aggregate], ...]
        kinds = ((self.numeric, "mean"), (self.ordered, "median"), (self.unordered, "mode"))
        return {name: how for names, how in kinds for name in names}


def as_kinds(numeric: Any, ordered: Any, unordered: Any) -> Kinds:
    """Validate what was asked for."""
    for name, value in (("numeric", numeric), ("unordered", unordered)):
        if isinstance(value, str) or not isinstance(value, Sequence):
            raise OptionError(f"{name} is {shown(value)}; needed: a list of attributes")
    if ordered is None or (isinstance(ordered, Sequence) and not isinstance(ordered, str)):
        ordered = dict.fromkeys(ordered or (), ())
    if not isinstance(ordered, Mapping):
        msg = f"ordered is {shown(ordered)}; needed: the attributes, with their categories from low to high"
        raise OptionError(msg)
    kinds = Kinds(
        tuple(map(str, numeric)), {str(name): tuple(ordered[name]) for name in ordered}, tuple(map(str, unordered))
    )
    twice = sorted({name for name in kinds.names if kinds.names.count(name) > 1})
    if twice:
        raise OptionError(f"attributes with more than one kind: {', '.join(twice)}; needed: one kind for each")
    taken = sorted(set(kinds.names) & {*VERTEX_COLUMNS, *chain(*KEPT.values()), "id", "label"})
    if taken:
        msg = f"attributes named as columns of the release: {', '.join(taken)}; needed: other names; rename them first"
        raise OptionError(msg)
    return kinds


def from_table(network: Network, table: Any, vertex: str) -> tuple[Columns, tuple[Note, ...]]:
    """The attributes of a table with a column of vertices, in the order of the network, and what there is to say."""
    arrow = to_arrow(table, [vertex])[0] if is_frame(table) else table
    if not hasattr(arrow, "column_names"):
        raise InputError(f"attributes is {shown(table)}; needed: a table with a row for each vertex")
    if vertex not in arrow.column_names:
        msg = f"the attributes have no column {vertex!r}; needed: the one that names the vertices (vertex, --vertex)"
        raise InputError(msg)
    if len({str(name) for name in network.names}) < network.n:
        msg = "some vertices of the network differ in their type alone, as 1 and '1' do; needed: names that differ as text"
        raise InputError(msg)
    rows = [str(name) for name in arrow.column(vertex).to_pylist()]
    place = {name: row for row, name in enumerate(rows)}
    if len(place) < len(rows):
        msg = f"{len(rows) - len(place)} vertices have more than one row of attributes; needed: at most one for each"
        raise InputError(msg)
    row_of = np.array([place.get(str(name), -1) for name in network.names], dtype=np.int64)
    known = int(np.count_nonzero(row_of >= 0))
    if known < len(rows):
        msg = f"{len(rows) - known} vertices of the attributes are not in the network; needed: none; correct or drop those rows"
        raise InputError(msg)
    take = pa.array(row_of, mask=row_of < 0)
    columns = {name: arrow.column(name).combine_chunks().take(take) for name in arrow.column_names if name != vertex}
    absent = network.n - known
    note = Note(NoteKind.MISSING, f"{absent} vertices have no row of attributes; their values are missing")
    return columns, (note,) if absent else ()


def aggregated(columns: Columns, kinds: Kinds, partition: Partition, lower: int) -> tuple[dict[str, Array], list[Note]]:
    """One value of each attribute for every cluster, in the order of the partition; and what there is to say, without values."""
    unknown = sorted(set(kinds.names) - set(columns))
    if unknown:
        msg = f"no vertex has the attributes {', '.join(unknown)}; needed: those of the network or of its table; check the names"
        raise InputError(msg)
    arrays: dict[str, Array] = {}
    notes: list[Note] = []
    for name, how in kinds.aggregates.items():
        values = _values(name, _as_arrow(name, columns[name]), kinds, lower)
        arrays[name], more = _value_of_clusters(values, partition, how, lower)
        notes += more
    dropped = [str(name) for name in columns if name not in kinds.names]
    if dropped:
        notes.append(Note(NoteKind.NETWORK, f"attributes that are not published: {', '.join(dropped)}"))
    return arrays, notes


def _as_arrow(name: str, column: Column | list[Any]) -> Column:
    if not isinstance(column, list):
        return column
    try:
        return pa.array(column, from_pandas=True)
    except (pa.ArrowException, OverflowError):
        raise InputError(f"the attribute {name!r} mixes types; needed: one type; convert it first") from None


def _values(name: str, column: Column, kinds: Kinds, lower: int) -> Values:
    """The values of an attribute, checked, with the decimals that at least `lower` vertices use, as means are published with."""
    order = kinds.ordered.get(name) or None
    values = read_values(name, column, nominal=name in kinds.unordered, order=order)
    if name in kinds.numeric and values.kind not in NUMBERS:
        msg = f"the attribute {name!r} is {values.kind}; needed: numbers or times; or give it as ordered or unordered"
        raise InputError(msg)
    if name in kinds.ordered and values.kind not in (*NUMBERS, "ordinal"):
        raise InputError(f"the attribute {name!r} has no order of its own; needed: its categories from low to high")
    grain = Grain(lower)
    grain.add(values, None)
    return values.with_decimals(grain.digits)


def _value_of_clusters(values: Values, partition: Partition, how: Aggregate, lower: int) -> tuple[Array, list[Note]]:
    """The value of every cluster, and what there is to say."""
    first = np.unique(partition.labels, return_index=True)[1]
    known = np.bincount(partition.labels, weights=values.valid, minlength=len(partition))
    value = aggregate_column(values, partition, how).take(first)
    enough = known >= lower
    own = _own(values, value, partition) & enough if how != "mean" else np.zeros(len(partition), dtype=np.bool_)
    array = value.replaced(value.physical, value.valid & enough & ~own).build()
    left_out, few, same = (
        int(np.count_nonzero(where)) for where in (own, ~enough, _shared(values, partition) & enough)
    )
    counted = (
        (NoteKind.OWN_VALUES, left_out, f"in {left_out} clusters the {how} is one vertex's own value and is left out"),
        (NoteKind.MISSING, few, f"{few} clusters have fewer than {lower} values and get none"),
        (
            NoteKind.EXPOSURE,
            same,
            f"in {same} clusters all vertices share one value: whoever knows the cluster of a vertex knows its value",
        ),
    )
    return array, [Note(kind, f"attribute {values.name!r}: {text}") for kind, number, text in counted if number]


def _own(values: Values, value: Values, partition: Partition) -> Flags:
    """The clusters whose value is that of exactly one vertex."""
    same = values.valid & (values.physical == value.physical[partition.labels])
    holders: Flags = np.bincount(partition.labels, weights=same, minlength=len(partition)) == 1
    return holders


def _shared(values: Values, partition: Partition) -> Flags:
    """The clusters in which all values are the same."""
    rows = np.flatnonzero(values.valid)
    labels, physical = partition.labels[rows], values.physical[rows]
    low, high = np.full(len(partition), np.inf), np.full(len(partition), -np.inf)
    np.minimum.at(low, labels, physical.astype(np.float64))
    np.maximum.at(high, labels, physical.astype(np.float64))
    return np.asarray(low == high)
