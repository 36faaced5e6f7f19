"""The ledger: which tables and networks were released before, so that a second release of the same records is noticed.

Two releases of the same records can be intersected. The ledger knows a table by hashes of its quasi-identifiers, each column's values
sorted, which recognise the same table whatever else is chosen, and by sketches of its records, of its records in bins and of its
units, which tell how much two tables share (`covey.utils.sketch`); all under a key of its own, which stays beside them. It holds no value of any
table. It lies in `$COVEY_LEDGER`, or in the state folder of the user (`$XDG_STATE_HOME/covey/ledger.jsonl`), for its owner's eyes only;
COVEY_LEDGER=off switches it off, and then there is no such file. Every release is looked up when it is made, and entered when it is written.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import json
import os
import re
import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from covey.errors import CoveyError, OptionError, RefusedError
from covey.utils import randomness
from covey.utils.notes import Note, NoteKind
from covey.utils.sketch import Sketch, TableSketches

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from covey.utils.hashing import Sums

__all__ = [
    "BANDS",
    "TROUBLE",
    "Ledger",
    "LedgerError",
    "Overlap",
    "Past",
    "ReleasedBeforeWarning",
    "Trace",
    "band",
    "enter",
    "ledger_path",
    "look_up",
    "same",
    "trace_of",
]

NONE, SOME, MOST, ALL = "none", "some", "most", "all"
BANDS = (NONE, SOME, MOST, ALL)
"""How many of the records of the smaller of two tables are in the other, as far as sketches tell."""
TROUBLE = Note(
    NoteKind.LEDGER, "the ledger of releases cannot be used, so a second release of these records will not be noticed"
)
_DRAWN: dict[Path, str] = {}
"""Keys of ledgers that have no file yet: releases that are made before the first is written know each other."""


class LedgerError(CoveyError):
    """The ledger cannot be read or written. A release goes on without it, and says so."""


class ReleasedBeforeWarning(UserWarning):
    """The same records were released before, in whole or in part."""


@dataclass(frozen=True)
class Trace:
    """A table and the settings of its release as the ledger knows them. Nothing of the table can be read from it."""

    key: str
    """Of the ledger; empty where that cannot be read."""
    columns: tuple[str, ...]
    settings: str
    k: int
    sketches: Mapping[str, Sketch] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """An entry of the ledger."""
        sketches = {kind: sketch.as_dict() for kind, sketch in self.sketches.items()}
        return {"columns": list(self.columns), "settings": self.settings, "k": self.k, "sketches": sketches}


@dataclass(frozen=True)
class Overlap:
    """Earlier releases of the same records: how many records of the one that shares the most, when it was, and how many there are."""

    band: str
    times: int
    date: str
    k: int

    def __str__(self) -> str:
        which = {ALL: "these", MOST: "most of these", SOME: "some of these"}[self.band]
        return (
            f"{which} records were released before ({'once' if self.times == 1 else f'{self.times} times'}, last on {self.date} with k = {self.k}): whoever has two such releases "
            "can intersect them; publish the earlier one again, or only records that are new, or count what both single out together with "
            "covey check --against, where a column that both publish links them"
        )


@dataclass(frozen=True)
class Past:
    """What the ledger says of a release: an overlap, nothing, or that it cannot be used."""

    overlap: Overlap | None = None
    trouble: bool = False

    @property
    def notes(self) -> list[Note]:
        """In sentences."""
        overlap = [] if self.overlap is None else [Note(NoteKind.LEDGER, str(self.overlap))]
        return [*overlap, TROUBLE] if self.trouble else overlap

    def warn(self, before: Past | None = None, level: int = 3) -> Past:
        """Warn of an overlap, unless that was done before."""
        if self.overlap is not None and (before is None or before.overlap != self.overlap):
            warnings.warn(str(self.overlap), ReleasedBeforeWarning, stacklevel=level)
        return self


def ledger_path() -> Path | None:
    """Where the ledger lies; None where it is switched off."""
    given = os.environ.get("COVEY_LEDGER")
    if given is not None:
        return None if given in ("", "off") else Path(given)
    state = os.environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
    return Path(state) / "covey" / "ledger.jsonl"


def trace_of(
    settings: Mapping[str, Any],
    k: int,
    columns: Iterable[Sums],
    sketches: TableSketches,
    *,
    engine: str,
    table: Sums | None = None,
    ledger: bool = True,
) -> Trace | None:
    """A table and the settings of its release under the key of the ledger; None where that is switched off.

    With `table`, the sums of all columns that are looked at, a release is the same only where these, the order of the rows and
    the engine are: groups may depend on all of them.
    """
    path = ledger_path()
    if path is None or not ledger:
        return None
    try:
        key = Ledger(path).key
    except LedgerError:
        return Trace("", (), "", k)
    told = {name: value for name, value in settings.items() if name not in ("entropy", "reasons", "title", "publisher")}
    told["engine"] = engine if table is None else (engine, table.hash(key), table.order)
    hashed = randomness.keyed_hash(key, [repr(sorted(told.items())).encode()])
    return Trace(key, tuple(sums.hash(key) for sums in columns), hashed, k, sketches.sketches(key))


def look_up(trace: Trace | None, *, refuse: bool = False) -> Past:
    """What the ledger says of a release. With `refuse`, an overlap is an error, and so is a ledger that cannot say."""
    if trace is None:
        if refuse:
            msg = "refuse_overlap is given, and the ledger is switched off (--no-ledger, ledger=False or COVEY_LEDGER=off); leave one of the two out"
            raise OptionError(msg)
        return Past()
    path = ledger_path()
    try:
        found = None if path is None else Ledger(path)
    except LedgerError:
        found = None
    past = Past(trouble=True)
    if found is not None and found.key == trace.key:
        past = Past(found.overlap(trace))
    if refuse and past.notes:
        raise RefusedError(f"{past.notes[0]}; the release is refused (--refuse-overlap), and nothing was written")
    return past


def enter(trace: Trace | None, past: Past) -> list[Note]:
    """Enter a release that was written into the ledger; what there is to report beside what was said."""
    path = ledger_path()
    if trace is None or path is None or past.trouble:
        return []
    try:
        Ledger(path).add(trace)
    except (OSError, LedgerError):
        return [TROUBLE]
    return []


class Ledger:
    """Earlier releases, by table and by settings. Without a file there are none, and the file is made by the first entry."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.records: list[dict[str, Any]] = []
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except FileNotFoundError:
            self.key = _DRAWN.setdefault(path, randomness.draw())
            return
        except (OSError, UnicodeDecodeError):
            raise LedgerError from None
        for line in lines:
            with contextlib.suppress(json.JSONDecodeError):  # a line that was cut off tells nothing
                record = json.loads(line)
                self.records += [record] if isinstance(record, dict) else []
        self.key = next((str(record["key"]) for record in self.records if "key" in record), "")
        if not re.fullmatch(r"[0-9a-f]{64}", self.key):
            raise LedgerError

    def overlap(self, trace: Trace) -> Overlap | None:
        """What the earlier releases have in common with one; the same table with the same settings is no other release."""
        overlaps = [
            (entry, band(entry, trace)) for entry in self.records if "settings" in entry and not same(entry, trace)
        ]
        overlaps = [(entry, which) for entry, which in overlaps if which != NONE]
        if not overlaps:
            return None
        most, which = max(reversed(overlaps), key=lambda pair: BANDS.index(pair[1]))
        return Overlap(which, len(overlaps), str(most["date"]), int(most["k"]))

    def add(self, trace: Trace) -> None:
        """Remember a release. The file is the user's own."""
        if self.key != trace.key:
            raise LedgerError
        if not self.path.exists():
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._append({"key": self.key}, os.O_EXCL)
        self._append(trace.as_dict() | {"date": dt.datetime.now(dt.UTC).date().isoformat()})

    def _append(self, record: dict[str, Any], more: int = 0) -> None:
        handle = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT | more, 0o600)
        with os.fdopen(handle, "r+b", buffering=0) as file:
            self.path.chmod(0o600)
            cut = file.seek(0, os.SEEK_END) and (file.seek(-1, os.SEEK_END), file.read(1))[1] != b"\n"
            file.write(b"\n" * bool(cut) + json.dumps(record).encode() + b"\n")


def same(entry: Mapping[str, Any], trace: Trace) -> bool:
    """Whether an entry is of the same table with the same settings: a release that is made once more."""
    return entry["settings"] == trace.settings and set(entry.get("columns", ())) == set(trace.columns)


def band(entry: Mapping[str, Any], trace: Trace) -> str:
    """How many records an entry and a release have in common: by exact columns, half of them or more, else by sketches."""
    columns = entry.get("columns", ())
    if 2 * len(set(columns) & set(trace.columns)) >= min(len(columns), len(trace.columns)) > 0:
        return ALL
    found = NONE
    for kind, told in entry.get("sketches", {}).items():
        share = trace.sketches[kind].tells(Sketch.from_dict(told)) if kind in trace.sketches else None
        if share is not None:
            which = ALL if share >= 0.95 else MOST if share >= 0.65 else SOME
            found = max(found, which, key=BANDS.index)
    return found
