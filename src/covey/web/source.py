"""Where the table of a session comes from: the command line, an upload, or the bundled examples."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from pathlib import Path

from covey.datasets import load_contacts, load_patients
from covey.errors import InputError
from covey.io.inputs import format_of, plain_size
from covey.io.location import SUFFIXES, Location, locate
from covey.network.formats import SUFFIXES as NETWORK_SUFFIXES
from covey.utils.arrow import arrow_csv
from covey.web.private import memory_budget

EXAMPLES = {"table": "patients.csv", "network": "contacts.csv"}


@dataclass(frozen=True)
class Source:
    """A table or a network to open. `path` is never what a browser named; `name` is, and is shown only."""

    path: str
    name: str
    kind: str
    """"table" or "network"."""
    suffix: str
    is_example: bool = False


def from_command_line(given: str, *, network: bool = False) -> Source:
    """What `covey web FILE` names: a file by its suffix, or a database URL. A table may be one of edges: then it is a network."""
    path = Path(given)
    suffix = path.suffix.lower()
    place = None if suffix in NETWORK_SUFFIXES and suffix not in SUFFIXES else locate(given)
    if place is not None and place.place == "stream":
        raise InputError("standard input is given to the page; needed: a file or a database URL; save it first")
    if (place is None or place.place == "file") and not (path if place is None else place.path).is_file():
        raise InputError(f"there is no file {path.name!r}; needed: an existing file; check the path")
    if place is None or place.is_input_file:
        _check_size(path.name, path.stat().st_size if place is None else plain_size(place))
    if place is None:
        return Source(given, path.name, "network", suffix)
    suffix = suffix_for(place)
    if network and (place.place != "file" or suffix not in NETWORK_SUFFIXES):
        msg = f"a network is asked for of {place.public!r}; needed: a file with one of the suffixes {', '.join(NETWORK_SUFFIXES)}"
        raise InputError(msg)
    kind = "network" if network else "table"
    return Source(given, place.public, kind, suffix)


def _check_size(name: str, size: int) -> None:
    """An error for what is larger than the page can hold."""
    if size > memory_budget():
        most = memory_budget() // 2**20
        msg = f"the file {name!r} is larger than {most} MB, which is what fits the memory here; take `covey release --memory`"
        raise InputError(msg)


def suffix_for(place: Location) -> str:
    """The suffix that a release of a table gets first: that of its format, and of a database .csv."""
    if not place.is_input_file:
        return ".csv"
    own = place.path.suffix.lower()
    return own if own in SUFFIXES else next(one for one, form in SUFFIXES.items() if form == format_of(place))


def from_upload(name: str, kind: str, folder: Path) -> Source:
    """Where an upload goes: a name of our own in the folder of the session, with a suffix that we know.

    >>> from_upload("../../etc/people.CSV", "table", Path("private")).name
    'people.CSV'
    """
    suffix = Path(name.replace("\\", "/").rpartition("/")[2]).suffix.lower()
    known = NETWORK_SUFFIXES if kind == "network" else tuple(SUFFIXES)
    if suffix not in known:
        what = "a network" if kind == "network" else "a table"
        msg = f"the file has the suffix {suffix[:12]!r}, which is not that of {what}; needed: one of {', '.join(known)}"
        raise InputError(msg)
    shown = "".join(sign for sign in name.replace("\\", "/").rpartition("/")[2] if sign.isprintable())[:80]
    return Source(str(folder / f"upload-{secrets.token_hex(4)}{suffix}"), shown, kind, suffix)


def example(kind: str, folder: Path) -> Source:
    """A bundled example, written as a file, so that the command line can take the same one."""
    path = folder / EXAMPLES[kind]
    table = load_patients("pyarrow") if kind == "table" else load_contacts("pyarrow")[0]
    arrow_csv.write_csv(table, path)
    return Source(str(path), path.name, kind, ".csv", is_example=True)
