"""`Shape`: what a column is in the whole table, so that a part of it is read in the same numbers and codes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.columns.hierarchy.reading import read_hierarchical, texts_of, tree_for
from covey.columns.values import Kind, Values, read_values, time_numbers, wall_numbers
from covey.errors import InputError
from covey.recipe.engines import MANY_CATEGORIES, MOST_CATEGORIES
from covey.utils.arrow import Column, DataType, array_of, pa, pc

if TYPE_CHECKING:
    from collections.abc import Sequence

    from covey.columns.hierarchy.declared import Hierarchy
    from covey.columns.hierarchy.tree import Tree
    from covey.utils.typing import Integers


@dataclass(frozen=True, eq=False)
class Shape:
    """Kind, type, categories and grain of a column of the whole table."""

    name: str
    kind: Kind
    type: DataType
    nominal: bool = False
    order: tuple[str, ...] | None = None
    categories: Any = None
    frequency: Integers | None = None
    step: int = 1
    local: bool = False
    decimals: int | None = None
    hierarchy: Hierarchy | None = None
    tree: Tree | None = None

    def read(self, column: Column) -> Values:
        """The values of a part of the column."""
        array = array_of(column)
        if array.type != self.type:
            array = array.cast(self.type)
        if self.hierarchy is not None:
            values = read_hierarchical(self.name, array, self.hierarchy, self.tree)
            return replace(values, frequency=self.frequency)
        values = read_values(self.name, array, nominal=self.nominal, order=self.order)
        if self.categories is not None:
            return self._recoded(values)
        if self.kind != "time":
            return values.with_decimals(self.decimals)
        physical = wall_numbers(array) if self.local else time_numbers(array)
        return replace(values, physical=np.where(values.valid, physical, 0), step=self.step, local=self.local)

    def _recoded(self, values: Values) -> Values:
        places = pc.index_in(values.categories, value_set=self.categories)
        if places.null_count and values.valid.any():
            raise InputError(f"column {self.name!r} changed while it was read; needed: a table that stays as it is")
        code = np.append(places.to_numpy(zero_copy_only=False), 0).astype(np.int64)
        physical = np.where(values.valid, code[np.minimum(values.physical, len(code) - 1)], 0)
        return replace(values, physical=physical, categories=self.categories, frequency=self.frequency)


class ShapeSurvey:
    """Finds the shape of a column from its parts, and how often each category occurs."""

    def __init__(
        self,
        name: str,
        *,
        nominal: bool = False,
        order: Sequence[str] | None = None,
        hierarchy: Hierarchy | None = None,
    ) -> None:
        self.name, self.nominal, self.hierarchy = name, nominal, hierarchy
        self.type: DataType | None = None
        self.order = None if order is None else tuple(order)
        self.first: Values | None = None
        self.step, self.local = 0, True
        self.counts: dict[Any, int] = {}
        self.missing = 0

    def add(self, column: Column) -> Values:
        """Look at a part of the column; its values, in codes of its own."""
        self.type = column.type if self.type is None else self.type
        if self.hierarchy is not None:
            column = texts_of(self.name, column, self.hierarchy)
        nominal = self.nominal or self.hierarchy is not None
        values = read_values(self.name, column, nominal=nominal, order=self.order)
        if self.first is None:
            self.first = values.take(np.zeros(0, dtype=np.int64))
        self.missing += values.missing
        if values.kind == "time" and values.valid.any():
            self.step = values.step if self.step == 0 else min(self.step, values.step)
            self.local = self.local and values.local
        if values.categories is not None:
            self._count(values)
        return values

    def _count(self, values: Values) -> None:
        names = values.categories.to_pylist()
        numbers = np.bincount(values.physical[values.valid], minlength=len(names)).tolist()
        for name, number in zip(names, numbers, strict=True):
            self.counts[name] = self.counts.get(name, 0) + number  # in the order of an ordered type, too
        if len(self.counts) > MOST_CATEGORIES:
            raise InputError(
                MANY_CATEGORIES.message(f"column {self.name!r} has more than {MOST_CATEGORIES} categories")
            )

    def merge(self, other: ShapeSurvey) -> None:
        """Take over what was seen in another part."""
        if self.first is None:
            self.first, self.type = other.first, other.type
        self.missing += other.missing
        self.step = min(self.step, other.step) if self.step and other.step else self.step or other.step
        self.local = self.local and other.local
        for name, number in other.counts.items():
            self.counts[name] = self.counts.get(name, 0) + number

    def shape(self) -> Shape:
        """The shape of the whole column."""
        if self.first is None:
            raise InputError("the table has no rows; needed: at least k")
        if self.hierarchy is not None and self.type is not None:
            return self._hierarchical(self.hierarchy, self.type)
        first = self.first
        local = self.local and first.kind == "time" and bool(getattr(first.type, "tz", None)) and self.step > 0
        categories, frequency = self._categories(first)
        return Shape(
            self.name,
            first.kind,
            first.type,
            self.nominal,
            self.order,
            categories,
            frequency,
            step=max(1, self.step),
            local=local,
        )

    def _hierarchical(self, hierarchy: Hierarchy, kind: DataType) -> Shape:
        tree = tree_for(self.name, hierarchy, self.counts, kind)
        frequency = np.array([self.counts.get(label, 0) for label in tree.labels], dtype=np.int64)
        labels = pa.array(tree.labels, pa.large_string())
        return Shape(
            self.name, "hierarchy", kind, categories=labels, frequency=frequency, hierarchy=hierarchy, tree=tree
        )

    def _categories(self, first: Values) -> tuple[Any, Integers | None]:
        if first.categories is None:
            return None, None
        if self.order is not None:
            text = {str(name): name for name in self.counts}
            names = pa.array([text[one] for one in self.order if one in text], first.categories.type)
        else:
            names = pa.array(list(self.counts), first.categories.type)
            if first.kind == "nominal" and not getattr(first.type, "ordered", False):
                names = names.take(pc.sort_indices(names))
        return names, np.array([self.counts[name] for name in names.to_pylist()], dtype=np.int64)
