"""In which encoding a text is written, by looking at all of it."""

from __future__ import annotations

import codecs
from typing import IO

WINDOWS = "cp1252"
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def encoding_of(file: IO[bytes]) -> str:
    """The encoding of an open file: as its first bytes mark it, else UTF-8 where all of it is, else Windows-1252.

    >>> import io
    >>> [encoding_of(io.BytesIO("Köln".encode(name))) for name in ("utf-8", "utf-16", "cp1252")]
    ['utf-8', 'utf-16', 'cp1252']
    """
    piece = file.read(1 << 20)
    for mark, name in _MARKS:
        if piece.startswith(mark):
            return name
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        while piece:
            decoder.decode(piece)
            piece = file.read(1 << 20)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return WINDOWS
    return "utf-8"
