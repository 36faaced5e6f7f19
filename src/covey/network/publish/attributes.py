"""Attributes of vertices: one value a cluster, of those attributes only that are asked for.

Stated rules. Numbers: the mean, in the column's own type. Ordered categories: the median, of an even number the lower one
(of numbers the mean of the two).
Unordered ones: the mode; of equally frequent values the one more frequent in the whole network, then the first in order.
Missing values do not enter, and a cluster of which fewer than `lower` vertices have a value gets none: it would be the value of
too few. A median or mode that is the value of one vertex alone is left out. An attribute without a kind is not published.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.columns.aggregation import aggregate_column
from covey.columns.values import NUMBERS, read_values
from covey.errors import InputError, OptionError, shown
from covey.network.publish.supergraph import VERTEX_COLUMNS
from covey.utils.extras import load
from covey.utils.frame import is_frame, to_arrow

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.columns.aggregation import Aggregate
    from covey.columns.values import Values
    from covey.core.partition import Partition
    from covey.network.graph import Network

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
    def told(self) -> dict[str, str]:
        """What is published of each."""
        how = dict.fromkeys(self.numeric, "mean") | dict.fromkeys(self.ordered, "median")
        return how | dict.fromkeys(self.unordered, "mode")


def as_kinds(numeric: Any, ordered: Any, unordered: Any) -> Kinds:
    """Validate what was asked for."""
    given = {"numeric": numeric, "unordered": unordered}
    for name, value in given.items():
        if isinstance(value, str) or not isinstance(value, Sequence):
            msg = f"{name} is {shown(value)}; needed: a list of attributes"
            raise OptionError(msg)
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
        msg = f"attributes with more than one kind: {', '.join(twice)}; needed: one kind for each"
        raise OptionError(msg)
    taken = sorted(set(kinds.names) & {*VERTEX_COLUMNS, "id", "label"})
    if taken:
        msg = f"attributes named as columns of the release: {', '.join(taken)}; needed: other names; rename them first"
        raise OptionError(msg)
    return kinds


def from_table(network: Network, table: Any, vertex: str) -> tuple[Columns, tuple[str, ...]]:
    """The attributes of a table with a column of vertices, in the order of the network, and what there is to say."""
    arrow = to_arrow(table, [vertex])[0] if is_frame(table) else table
    if not hasattr(arrow, "column_names"):
        msg = f"attributes is {shown(table)}; needed: a table with a row for each vertex"
        raise InputError(msg)
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
    found = np.array([place.get(str(name), -1) for name in network.names], dtype=np.int64)
    known = int(np.count_nonzero(found >= 0))
    if known < len(rows):
        msg = f"{len(rows) - known} vertices of the attributes are not in the network; needed: none; correct or drop those rows"
        raise InputError(msg)
    take = load("pyarrow").array(found, mask=found < 0)
    columns = {name: arrow.column(name).combine_chunks().take(take) for name in arrow.column_names if name != vertex}
    absent = network.n - known
    note = f"{absent} vertices have no row of attributes; their values are missing"
    return columns, (note,) if absent else ()


def aggregated(columns: Columns, kinds: Kinds, partition: Partition, lower: int) -> tuple[dict[str, Any], list[str]]:
    """One value of each attribute for every cluster, in the order of the partition; and what there is to say, without values."""
    unknown = sorted(set(kinds.names) - set(columns))
    if unknown:
        msg = f"no vertex has the attributes {', '.join(unknown)}; needed: those of the network or of its table; check the names"
        raise InputError(msg)
    found, notes = {}, []
    for name, how in kinds.told.items():
        values = _values(name, _as_arrow(name, columns[name]), kinds)
        array, note = _one_each(values, partition, how, lower)  # type: ignore[arg-type]
        found[name] = array
        notes += note
    dropped = [str(name) for name in columns if name not in kinds.names]
    if dropped:
        notes.append(f"attributes that are not published: {', '.join(dropped)}")
    return found, notes


def _as_arrow(name: str, column: Any) -> Any:
    pa = load("pyarrow")
    if not isinstance(column, list):
        return column
    try:
        return pa.array(column, from_pandas=True)
    except (pa.ArrowException, OverflowError):
        msg = f"the attribute {name!r} mixes types; needed: one type; convert it first"
        raise InputError(msg) from None


def _values(name: str, column: Any, kinds: Kinds) -> Values:
    order = kinds.ordered.get(name) or None
    values = read_values(name, column, nominal=name in kinds.unordered, order=order)
    if name in kinds.numeric and values.kind not in NUMBERS:
        msg = f"the attribute {name!r} is {values.kind}; needed: numbers or times; or give it as ordered or unordered"
        raise InputError(msg)
    if name in kinds.ordered and values.kind not in (*NUMBERS, "ordinal"):
        msg = f"the attribute {name!r} has no order of its own; needed: its categories from low to high"
        raise InputError(msg)
    return values


def _one_each(values: Values, partition: Partition, how: Aggregate, lower: int) -> tuple[Any, list[str]]:
    """The value of every cluster, and what there is to say."""
    first = np.unique(partition.labels, return_index=True)[1]
    known = np.bincount(partition.labels, weights=values.valid, minlength=len(partition))
    one = aggregate_column(values, partition, how).take(first)
    enough = known >= lower
    own = _own(values, one, partition) & enough if how != "mean" else np.zeros(len(partition), dtype=np.bool_)
    array = one.replaced(one.physical, one.valid & enough & ~own).build()
    notes = []
    if own.any():
        notes.append(
            f"attribute {values.name!r}: in {np.count_nonzero(own)} clusters the {how} is one vertex's own value and is left out"
        )
    if not enough.all():
        notes.append(
            f"attribute {values.name!r}: {np.count_nonzero(~enough)} clusters have fewer than {lower} values and get none"
        )
    same = _shared(values, partition, enough)
    if same:
        notes.append(
            f"attribute {values.name!r}: in {same} clusters all vertices share one value: who finds the cluster knows it"
        )
    return array, notes


def _own(values: Values, one: Values, partition: Partition) -> NDArray[np.bool_]:
    """The clusters whose value is that of exactly one vertex."""
    same = values.valid & (values.physical == one.physical[partition.labels])
    holders: NDArray[np.bool_] = np.bincount(partition.labels, weights=same, minlength=len(partition)) == 1
    return holders


def _shared(values: Values, partition: Partition, enough: NDArray[np.bool_]) -> int:
    """In how many clusters all values are the same."""
    rows = np.flatnonzero(values.valid)
    labels, physical = partition.labels[rows], values.physical[rows]
    low, high = np.full(len(partition), np.inf), np.full(len(partition), -np.inf)
    np.minimum.at(low, labels, physical.astype(np.float64))
    np.maximum.at(high, labels, physical.astype(np.float64))
    return int(np.count_nonzero((low == high) & enough))
