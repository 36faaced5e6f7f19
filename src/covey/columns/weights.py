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

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.core.partition import Partition
    from covey.recipe.recipe import Recipe

    Floats = NDArray[np.float64]

_LARGEST = 1e100  # sums and products with values stay finite
DIGITS = 7
"""Significant digits of a published mean weight: no weighted total moves by more than a part in two million."""
_MOST_PLACES = 22  # powers of ten up to this one are exact


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


def released_weights(weights: Floats, partition: Partition, recipe: Recipe) -> tuple[Floats, list[str]]:
    """The weights as they are published: the group's mean, or their own, rounded where that is asked for."""
    if recipe.weights == "group":
        means = np.bincount(partition.labels, weights=weights) / partition.sizes
        return significant(means)[partition.labels], ["the published weight is the mean weight of the group"]
    notes = []
    if recipe.round_weights is not None:
        weights = np.maximum(1, np.round(weights / recipe.round_weights)) * recipe.round_weights
        notes.append(f"weights are rounded to multiples of {recipe.round_weights:g}")
    return weights, notes + rare_weights(rare_share(combine([weights], len(weights)), recipe.k), recipe.k)


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


def rare_weights(share: float, k: int) -> list[str]:
    """What to say of published weights that few share."""
    return [f"{share:.0%} of the published weights are shared by fewer than {k} records"] if share > 0 else []


def weight_column(name: str, column: Any, weights: Floats) -> tuple[Any, list[str]]:
    """The weights as a column, of the type it had where that can hold them."""
    pa = load("pyarrow")
    if pa.types.is_floating(column.type):
        return pa.array(weights.astype(column.type.to_pandas_dtype()), type=column.type), []
    units = weights * 10.0 ** getattr(column.type, "scale", 0)
    if np.all(units == np.round(units)):
        whole = read_values(name, column).replaced(units.astype(np.int64), np.ones(len(weights), dtype=bool))
        with contextlib.suppress(pa.ArrowInvalid):
            return whole.build(), []
    note = f"the weight {name!r} was of type {column.type}, which cannot hold what is published: it is published as float64"
    return pa.array(weights), [note]
