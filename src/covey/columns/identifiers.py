"""Identifiers as they are published: random ids."""

from __future__ import annotations

from covey.recount.readings import coarse
from covey.utils import randomness
from covey.utils.arrow import Array, Column, decoded, pa


def random_ids(column: Column, name: str, secret: str, *, of_units: bool) -> Array:
    """A random id for each different value of a column: the same in all parts of a table, different for different values.

    Those `of_units` are told apart by the coarse reading of their ids, as the units are. A missing value is a value.
    """
    encoded = decoded(coarse(column) if of_units else column).dictionary_encode(null_encoding="encode")
    ids = pa.array(randomness.random_ids(secret, name, encoded.dictionary.to_pylist()), pa.string())
    published: Array = ids.take(encoded.indices)
    return published
