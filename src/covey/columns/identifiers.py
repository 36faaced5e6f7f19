"""Identifiers as they are published: random ids."""

from __future__ import annotations

from typing import TYPE_CHECKING

from covey.recount.readings import coarse
from covey.utils import randomness
from covey.utils.extras import load

if TYPE_CHECKING:
    import pyarrow as pa


def random_ids(column: pa.ChunkedArray, name: str, secret: str, *, of_units: bool) -> pa.Array:
    """A random id for each different value of a column: the same in all parts of a table, different for different values.

    Those `of_units` are told apart by the coarse reading of their ids, as the units are. A missing value is a value.
    """
    pa = load("pyarrow")
    array = coarse(column) if of_units else column.combine_chunks()
    plain = array.dictionary_decode() if pa.types.is_dictionary(array.type) else array
    encoded = plain.dictionary_encode(null_encoding="encode")
    ids = randomness.random_ids(secret, name, encoded.dictionary.to_pylist())
    return pa.array(ids, pa.string()).take(encoded.indices)
