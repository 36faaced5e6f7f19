"""Sampling weights: read, used in the aggregates, and published so that they do not single anyone out."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.columns.cells import combine
from covey.columns.exposure import rare_share
from covey.columns.values import AMOUNTS, read_values
from covey.errors import InputError
from covey.utils.extras import load
from covey.utils.notes import Note, NoteKind

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.core.partition import Partition
    from covey.recipe.recipe import Recipe

    Floats = NDArray[np.float64]

_LARGEST = 1e100  # sums and products with values stay finite


def read_weights(table: Any, name: str) -> Floats:
    """The weights, all positive."""
    values = read_values(name, table.column(name))
    if values.missing:
        msg = f"the weight {name!r} is missing in {values.missing} records; needed: one for every record; fill or drop them"
        raise InputError(msg)
    if values.kind not in AMOUNTS:
        msg = f"the weight {name!r} is {values.kind}; needed: numbers"
        raise InputError(msg)
    scale = 10.0**-values.type.scale if values.kind == "decimal" else 1.0
    weights: Floats = values.physical.astype(np.float64) * scale
    bad = int(((weights <= 0) | (weights > _LARGEST)).sum())
    if bad:
        msg = f"the weight {name!r} is not positive, or beyond {_LARGEST:g}, in {bad} records; needed: more than 0; drop or correct them"
        raise InputError(msg)
    return weights


def released_weights(weights: Floats, partition: Partition, recipe: Recipe) -> tuple[Floats, list[Note]]:
    """The weights as they are published: the group's mean, or their own, rounded where that is asked for."""
    if recipe.weights == "group":
        means = np.bincount(partition.labels, weights=weights) / partition.sizes
        return means[partition.labels], [Note(NoteKind.WEIGHTS, "the published weight is the mean weight of the group")]
    notes = []
    if recipe.round_weights is not None:
        weights = np.maximum(1, np.round(weights / recipe.round_weights)) * recipe.round_weights
        notes.append(Note(NoteKind.WEIGHTS, f"weights are rounded to multiples of {recipe.round_weights:g}"))
    return weights, notes + rare_weights(rare_share(combine([weights], len(weights)), recipe.k), recipe.k)


def rare_weights(share: float, k: int) -> list[Note]:
    """What to say of published weights that few share."""
    text = f"{share:.0%} of the published weights are shared by fewer than {k} records"
    return [Note(NoteKind.RARE_WEIGHTS, text)] if share > 0 else []


def weight_column(name: str, column: Any, weights: Floats) -> tuple[Any, list[Note]]:
    """The weights as a column, of the type it had where that can hold them."""
    pa = load("pyarrow")
    if pa.types.is_floating(column.type):
        return pa.array(weights.astype(column.type.to_pandas_dtype()), type=column.type), []
    units = weights * 10.0 ** getattr(column.type, "scale", 0)
    if np.all(units == np.round(units)):
        whole = read_values(name, column).replaced(units.astype(np.int64), np.ones(len(weights), dtype=bool))
        with contextlib.suppress(pa.ArrowInvalid):
            return whole.build(), []
    text = f"the weight {name!r} was of type {column.type}, which cannot hold what is published: it is published as float64"
    return pa.array(weights), [Note(NoteKind.TYPES, text)]
