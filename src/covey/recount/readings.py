"""The coarse reading of values: what people, spreadsheets, databases and statistics packages take for the same.

Units, and sensitive values of which something is required, are the same where any format would read them so: 7, 7.0, 07 and 7e0, HIV, hiv and
"HIV ", é written as one character or as two. Fewer units and fewer values are the safe side for k and for distinct l; where neither
side is safe, a requirement holds under this reading and as the values are written. Imports nothing of the code that makes releases.
"""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from covey.recount.classes import codes_of
from covey.utils.arrow import Array, Column, array_of, is_text, pa, pc

if TYPE_CHECKING:
    from covey.utils.typing import Codes, Rows

_NUMBER = re.compile(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)(e[+-]?\d{1,9})?")
_GUARD = re.compile(r"'(?=[=+\-@])")
"""The apostrophe before what a spreadsheet would run."""
_PLAIN = r"^([1-9][0-9]{0,49}|[a-z]( ?[a-z0-9_./:-])*)$"
"""Texts that are read as they stand but for case and blanks: most, and found without a loop."""
_UNSEEN = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0") | {chr(code) for code in range(0xFE00, 0xFE10)}
"""Characters that are neither formats nor controls, and that nobody sees: fillers, joiners and selectors of a variant."""
_DASHES = frozenset("\u2010\u2011\u2012\u2013\u2014\u2015\u2212")
_LONGEST = 50
"""Numbers of more digits are written with an exponent."""


class Units(NamedTuple):
    """The numbers of the rows' units."""

    number: Codes
    """By the coarse reading: it is these that k counts."""
    spelled: Codes | None
    """By the ids as they are written, where that makes more of them."""

    @classmethod
    def of_column(cls, column: Column) -> Units:
        """Those of a column of ids; missing ones are one unit."""
        number, spelled = coarse_codes(column), codes_of(column)
        return cls(number, spelled if len(np.unique(spelled)) > len(np.unique(number)) else None)

    @property
    def readings(self) -> tuple[Codes, Codes]:
        """By the coarse reading, and as they are written."""
        return self.number, self.number if self.spelled is None else self.spelled

    def among(self, rows: Rows) -> Units:
        """Those of some rows."""
        return Units(self.number[rows], None if self.spelled is None else self.spelled[rows])

    def numbered(self) -> Units:
        """The same from 0, so that nothing of the ids is left."""
        return Units(_numbered(self.number), None if self.spelled is None else _numbered(self.spelled))


def _numbered(codes: Codes) -> Codes:
    return np.unique(codes, return_inverse=True)[1].reshape(-1).astype(np.int64)


def coarse_text(text: str) -> str | None:
    """How a text is read at the coarsest; None where nothing is written.

    Without the blanks around it and characters that nobody sees, with one blank for several and one sign for all dashes, in lower
    case and the compatible normal form, and numbers by their value, exactly: not through a float, which would take different ones of
    17 digits for the same.

    >>> coarse_text(" 07.0"), coarse_text("7e0"), coarse_text("HIV "), coarse_text("9007199254740993")
    ('7', '7', 'hiv', '9007199254740993')
    """
    plain = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    plain = " ".join("".join(map(_seen, plain)).split())
    plain = _GUARD.sub("", plain, count=1) if plain.startswith("'") else plain
    return (_number_text(plain) if _NUMBER.fullmatch(plain) else plain) or None


def _seen(sign: str) -> str:
    """What a reader sees of a character: nothing, a blank, a dash or itself."""
    if sign in _UNSEEN or (unicodedata.category(sign) in ("Cf", "Cc") and not sign.isspace()):
        return ""
    return "-" if sign in _DASHES else sign


def _number_text(text: str) -> str:
    sign, digits, exponent = Decimal(text.replace(",", ".")).as_tuple()
    shown = "".join(map(str, digits)).lstrip("0")
    kept = shown.rstrip("0")
    power = int(exponent) + len(shown) - len(kept)
    if not kept:
        return "0"
    minus = "-" if sign else ""
    if power < 0 or len(kept) + power > _LONGEST:
        return f"{minus}{kept}e{power}"
    return f"{minus}{kept}{'0' * power}"


def coarse(column: Column) -> Array:
    """An Arrow column as it is read at the coarsest: text is read anew, numbers have one zero and no not-a-number."""
    array = array_of(column)
    if pa.types.is_dictionary(array.type):
        return coarse(array.dictionary).take(array.indices)
    if pa.types.is_float16(array.type):
        array = array.cast(pa.float32())
    if pa.types.is_floating(array.type):
        return pc.if_else(pc.is_nan(array), None, pc.add(array, pa.scalar(0.0, array.type)))
    if not (is_text(array.type) or pa.types.is_string_view(array.type)):
        return array
    encoded = array.cast(pa.large_string()).dictionary_encode()
    simple = pc.ascii_lower(pc.ascii_trim_whitespace(encoded.dictionary))
    odd = np.flatnonzero(pc.invert(pc.match_substring_regex(simple, _PLAIN)).to_numpy(zero_copy_only=False))
    read = np.array(simple.to_pylist(), dtype=object)
    read[odd] = [coarse_text(text) for text in encoded.dictionary.take(pa.array(odd)).to_pylist()]
    return pa.array(read, pa.large_string(), from_pandas=True).take(encoded.indices)


def coarse_codes(column: Column) -> Codes:
    """Number the values of a column by their coarse reading; a missing value is a value."""
    return codes_of(coarse(column))


def merged(codes: Codes, column: Column) -> Codes:
    """The codes of a column where values of one coarse reading have the least of theirs."""
    reading = coarse_codes(column)
    least = np.full(int(reading.max(initial=0)) + 1, np.iinfo(np.int64).max)
    np.minimum.at(least, reading, codes)
    return least[reading]
