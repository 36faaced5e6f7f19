"""Sampling weights: read, used in the aggregates, and published so that they do not single anyone out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covey.columns.cells import combine
from covey.columns.exposure import rare_share
from covey.columns.values import AMOUNTS, read_values
from covey.errors import InputError
from covey.utils.arrays import MOST_WEIGHT
from covey.utils.arrow import Array, Column, DataType, Table, array_of, pa
from covey.utils.notes import Note, NoteKind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from covey.core.partition import Partition
    from covey.recipe.recipe import Recipe
    from covey.utils.typing import Floats

DIGITS = 7
"""Significant digits of a published mean weight: no weighted total moves by more than a part in two million."""
_MOST_PLACES = 22  # powers of ten up to this one are exact


def read_weights(table: Table, name: str, *, replicate: bool = False) -> Floats:
    """The weights, all positive; of a replicate none negative, since it leaves some records out."""
    values = read_values(name, table.column(name))
    if values.missing:
        msg = f"the weight {name!r} is missing in {values.missing} records; needed: one for every record; fill or drop them"
        raise InputError(msg)
    if values.kind not in AMOUNTS:
        raise InputError(f"the weight {name!r} is {values.kind}; needed: numbers")
    scale = 10.0**-values.type.scale if values.kind == "decimal" else 1.0
    weights: Floats = values.physical.astype(np.float64) * scale
    low, sign, least = (
        (weights < 0, "negative", "0 or more") if replicate else (weights <= 0, "not positive", "more than 0")
    )
    bad = int((low | (weights > MOST_WEIGHT)).sum())
    if bad:
        msg = f"the weight {name!r} is {sign}, or beyond {MOST_WEIGHT:g}, in {bad} records; needed: {least}; drop or correct them"
        raise InputError(msg)
    return weights


def released_weights(weights: Floats, partition: Partition, recipe: Recipe) -> tuple[Floats, list[Note]]:
    """The weights as they are published: the group's mean, or their own, rounded where that is asked for."""
    if recipe.weights == "group":
        means = np.bincount(partition.labels, weights=weights) / partition.sizes
        return significant(means)[partition.labels], [
            Note(NoteKind.WEIGHTS, "the published weight is the mean weight of the group")
        ]
    notes = []
    if recipe.round_weights is not None:
        weights = np.maximum(1, np.round(weights / recipe.round_weights)) * recipe.round_weights
        notes.append(Note(NoteKind.WEIGHTS, f"weights are rounded to multiples of {recipe.round_weights:g}"))
    return weights, notes + rare_weights(rare_share(combine([weights], len(weights)), recipe.k), recipe.k)


def released_replicates(replicates: Mapping[str, Floats], partition: Partition, recipe: Recipe) -> dict[str, Floats]:
    """Replicate weights as they are published: as the weight is; a weight of 0 stays one."""
    if recipe.weights != "group":
        rounding = recipe.round_weights
        return {
            name: one if rounding is None else np.round(one / rounding) * rounding for name, one in replicates.items()
        }
    means = {name: np.bincount(partition.labels, weights=one) / partition.sizes for name, one in replicates.items()}
    return {
        name: np.where(mean > 0, significant(np.where(mean > 0, mean, 1.0)), 0.0)[partition.labels]
        for name, mean in means.items()
    }


def significant(weights: Floats) -> Floats:
    """Positive numbers to `DIGITS` significant digits; as they are where these lie far from the point.

    >>> significant(np.array([118.3 + 1 / 3, 2 / 3, 12345678.9])).tolist()
    [118.6333, 0.6666667, 12345680.0]
    """
    places = DIGITS - 1 - np.floor(np.log10(weights)).astype(np.int64)
    behind = (places >= 0) & (places <= _MOST_PLACES)
    before = (places < 0) & (places >= -_MOST_PLACES)
    rounded = weights.copy()
    rounded[behind] = np.rint(weights[behind] * 10.0 ** places[behind]) / 10.0 ** places[behind]
    rounded[before] = np.rint(weights[before] / 10.0 ** -places[before]) * 10.0 ** -places[before]
    return rounded


def rare_weights(share: float, k: int) -> list[Note]:
    """What to say of published weights that few share."""
    text = f"{share:.0%} of the published weights are shared by fewer than {k} records"
    return [Note(NoteKind.RARE_WEIGHTS, text)] if share > 0 else []


def published_type(kind: DataType, recipe: Recipe) -> DataType:
    """The type of published weights, whatever they are: that of the column where it can hold them, else 64-bit floats."""
    if pa.types.is_floating(kind):
        return kind
    multiple = 1.0 if recipe.round_weights is None else recipe.round_weights * 10.0 ** getattr(kind, "scale", 0)
    return kind if recipe.weights == "keep" and float(multiple).is_integer() else pa.float64()


def weight_column(name: str, column: Column, weights: Floats, recipe: Recipe) -> tuple[Array, list[Note]]:
    """Published weights as a column, from that of the same rows as it came; and what there is to report."""
    kind, came = published_type(column.type, recipe), array_of(column)
    if pa.types.is_floating(kind):
        text = f"the weight {name!r} was of type {came.type} and is published as {kind}"
        notes = [] if kind == came.type else [Note(NoteKind.TYPES, text)]
        return pa.array(weights.astype(kind.to_pandas_dtype()), type=kind), notes
    if recipe.round_weights is None:
        return came, []
    units = np.round(weights * 10.0 ** getattr(kind, "scale", 0))
    if np.abs(units).max(initial=0.0) >= 2.0**63:
        raise _too_narrow(name, kind)
    try:
        return read_values(name, came).replaced(units.astype(np.int64), np.ones(len(units), dtype=bool)).build(), []
    except pa.ArrowInvalid:
        raise _too_narrow(name, kind) from None


def _too_narrow(name: str, kind: DataType) -> InputError:
    return InputError(
        f"the weight {name!r} is of type {kind}, which cannot hold its rounded values; needed: a wider type; convert it first"
    )
