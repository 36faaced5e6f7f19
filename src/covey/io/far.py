"""Files that are far away: copied once into a file on this machine, which has no name where there are such files."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import IO, TYPE_CHECKING

from covey.errors import CoveyError, InputError
from covey.io.listing import Listed, package_for
from covey.io.staging import writing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from covey.io.location import Location

_PIECE = 1 << 20
_SILENCE = 60.0
"""Seconds that a server may be silent."""


def fetch(place: Location, listed: Listed, copy: Path) -> list[tuple[int, int]]:
    """Copy files one behind the other, and say where each begins and how long it is."""
    pieces, end = list[tuple[int, int]](), 0
    for entry in listed.entries:
        with reached(place), listed.files.open_input_stream(entry.path, compression=None) as stream:
            pieces.append((end, copied(stream, copy)))
        end += pieces[-1][1]
    return pieces


def download(place: Location, copy: Path) -> None:
    """Copy a file of the web; an error where it breaks off."""
    import urllib.request

    with reached(place), urllib.request.urlopen(place.address, timeout=_SILENCE) as answer:  # noqa: S310
        length = answer.headers.get("Content-Length")
        if copied(answer, copy) != int(length or copy.stat().st_size):
            raise InputError(f"{place.public} broke off; needed: the whole file; try again")


def copied(source: IO[bytes], target: Path) -> int:
    """Append all bytes of a stream to a file, and say how many there were."""
    number = 0
    with target.open("ab") as file:
        while piece := source.read(_PIECE):
            with writing(Path("the temporary folder")):
                file.write(piece)
            number += len(piece)
    return number


@contextlib.contextmanager
def reached(place: Location) -> Iterator[None]:
    """What goes wrong far away becomes an error without keys and signatures."""
    try:
        yield
    except (CoveyError, KeyboardInterrupt, MemoryError):
        raise
    except FileNotFoundError:
        raise InputError(f"there is no {place.public}; needed: an existing file or folder; check the address") from None
    except Exception as error:
        hint = package_for(place.scheme) if isinstance(error, ImportError) else ""
        code = getattr(error, "code", None)  # of an answer of the web
        what = f"the server answers {code}" if isinstance(code, int) else type(error).__name__
        raise InputError(
            f"{place.public} cannot be read ({what}); {hint or 'check the address, your rights, the region and the network'}"
        ) from None
