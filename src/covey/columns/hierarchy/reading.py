"""A column with a hierarchy: its values as texts, as they are looked up, and as nodes of its tree."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from covey.columns.hierarchy.declared import Hierarchy, intervals, is_cuts, tree_of
from covey.columns.values import AMOUNTS, Values, read_values
from covey.errors import InputError
from covey.utils.arrow import Array, Column, DataType, array_of, decoded, is_text, pa, pc

if TYPE_CHECKING:
    from collections.abc import Mapping

    from covey.columns.hierarchy.tree import Tree


def read_hierarchical(name: str, column: Column, hierarchy: Hierarchy, tree: Tree | None = None) -> Values:
    """The values of an Arrow column as nodes; of the tree that is given, or the one that its values have."""
    texts = texts_of(name, column, hierarchy)
    read = read_values(name, texts, nominal=True)
    known = [str(text) for text in read.categories.to_pylist()]
    occur = np.bincount(read.physical[read.valid], minlength=len(known))
    if tree is None:
        tree = tree_for(name, hierarchy, dict(zip(known, occur.tolist(), strict=True)), column.type)
    places = [tree.code_of.get(text, -1) for text in known]
    if -1 in places and occur[places.index(-1)]:
        raise InputError(f"column {name!r} changed while it was read; needed: a table that stays as it is")
    codes = np.array([*places, 0], dtype=np.int64)[np.minimum(read.physical, len(places))]
    labels = pa.array(tree.labels, pa.large_string())
    kind = released_type(column.type)
    return Values(name, "hierarchy", kind, np.where(read.valid, codes, 0), read.valid, labels, tree=tree)


def tree_for(name: str, hierarchy: Hierarchy, occur: Mapping[str, int], kind: DataType) -> Tree:
    """The tree of a column of this type in which these texts occur so often; an error where it does not know all of them."""
    known = {text: number for text, number in occur.items() if number and text.strip()}
    tree = tree_of(name, hierarchy, known, whole=_is_whole(kind))
    strange = [number for text, number in occur.items() if number and not _is_value(tree, text)]
    if strange:
        raise InputError(
            f"{len(strange)} values of column {name!r} ({sum(strange)} rows) are not in its hierarchy; needed: a line for every value, "
            "written as in the table (leading zeros count); complete the hierarchy, or declare the column nominal"
        )
    return tree


def with_own_tree(column: Values, hierarchy: Hierarchy | None) -> Values:
    """The column with the tree that its values alone have, where a rule such as prefixes makes it from these; else as it is."""
    if column.tree is None or not isinstance(hierarchy, str) or not column.valid.any():
        return column
    known = np.unique(column.physical[column.valid])
    tree = tree_of(column.name, hierarchy, [column.tree.labels[code] for code in known])
    codes = np.zeros(len(column.tree), dtype=np.int64)
    codes[known] = [tree.code_of[column.tree.labels[code]] for code in known]
    physical = np.where(column.valid, codes[column.physical], 0)
    return replace(column, physical=physical, categories=pa.array(tree.labels, pa.large_string()), tree=tree)


def _is_value(tree: Tree, text: str) -> bool:
    return text in tree.code_of and bool(tree.is_value[tree.code_of[text]])


def texts_of(name: str, column: Column, hierarchy: Hierarchy) -> Array:
    """The values as they stand in a hierarchy: texts as they are, whole numbers without a point, numbers by the interval they lie in."""
    if not isinstance(hierarchy, str) and is_cuts(hierarchy):
        values = read_values(name, column)
        if values.kind not in AMOUNTS:
            raise InputError(
                f"the hierarchy of {name!r} cuts numbers, and the column is {values.kind}; needed: numbers"
            )
        scale = 10 ** getattr(values.type, "scale", 0)
        finest = np.array([cut * scale for cut in hierarchy[0]], dtype=np.float64)
        labels = pa.array(intervals(hierarchy[0], whole=_is_whole(column.type)), pa.large_string())  # type: ignore[arg-type]
        place = np.searchsorted(finest, values.physical.astype(np.float64), side="right")
        return labels.take(pa.array(place, mask=~values.valid))
    array = decoded(column)
    if not pa.types.is_floating(array.type):
        return array_of(array.cast(pa.large_string()))
    array = pc.if_else(pc.is_nan(array), None, array.cast(pa.float64()))
    whole = pc.and_(pc.equal(array, pc.floor(array)), pc.less(pc.abs(array), 2.0**53))
    texts = array.cast(pa.int64(), safe=False).cast(pa.large_string())
    return array_of(pc.if_else(whole, texts, array.cast(pa.large_string())))


def _is_whole(kind: DataType) -> bool:
    return bool(pa.types.is_integer(kind))


def released_type(kind: DataType) -> DataType:
    """The type in which labels are published: that of the column where it holds text, else text."""
    if pa.types.is_dictionary(kind):
        return (
            pa.string() if kind.ordered or not is_text(kind.value_type) else pa.dictionary(pa.int32(), kind.value_type)
        )
    return kind if is_text(kind) else pa.string()
