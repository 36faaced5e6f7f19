"""The ledger: which tables were released before, so that a second release of the same one is noticed.

Two releases of the same records can be intersected. The ledger knows tables by hashes of their quasi-identifiers, each column's
values sorted, under a key of its own, which stays beside it; it holds no value of any table. It lies in `$COVEY_LEDGER`, or in the state folder of the user
(`$XDG_STATE_HOME/covey/ledger.jsonl`); COVEY_LEDGER=off switches it off.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import json
import os
import re
from pathlib import Path
from typing import Any

from covey import entropy
from covey.errors import CoveyError


class LedgerError(CoveyError):
    """The ledger cannot be read or written. A release goes on without it, and says so."""


class ReleasedBeforeWarning(UserWarning):
    """The same table was released before with other settings."""


def ledger_path() -> Path | None:
    """Where the ledger lies; None where it is switched off."""
    given = os.environ.get("COVEY_LEDGER")
    if given is not None:
        return None if given in ("", "off") else Path(given)
    state = os.environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
    return Path(state) / "covey" / "ledger.jsonl"


class Ledger:
    """Earlier releases, by table and by settings. Its key is written when it is first opened."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.records: list[dict[str, Any]] = []
        try:
            if not path.exists():
                path.parent.mkdir(parents=True, exist_ok=True)
                with contextlib.suppress(FileExistsError):
                    self._append({"key": entropy.draw()}, os.O_EXCL)
            lines = path.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError):
            raise LedgerError from None
        for line in lines:
            with contextlib.suppress(json.JSONDecodeError):  # a line that was cut off tells nothing
                record = json.loads(line)
                self.records += [record] if isinstance(record, dict) else []
        self.key = next((str(record["key"]) for record in self.records if "key" in record), "")
        if not re.fullmatch(r"[0-9a-f]{64}", self.key):
            raise LedgerError

    def _append(self, record: dict[str, Any], more: int = 0) -> None:
        handle = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | more, 0o600)
        with os.fdopen(handle, "a", encoding="utf-8") as file:
            file.write(json.dumps(record) + "\n")

    def earlier(self, columns: list[str], settings: str) -> list[dict[str, Any]]:
        """Releases with other settings of a table that has half of the quasi-identifiers, or more, in common."""
        return [
            one
            for one in self.records
            if one.get("settings") != settings
            and 2 * len(set(columns) & set(one.get("columns", ())))
            >= min(len(columns), len(one.get("columns", ())))
            > 0
        ]

    def add(self, columns: list[str], settings: str, k: int) -> None:
        """Remember a release. The file is the user's own."""
        when = dt.datetime.now(dt.UTC).date().isoformat()
        record = {"columns": columns, "settings": settings, "k": k, "date": when}
        if not self.path.read_bytes().endswith(b"\n"):  # the last line was cut off
            handle = os.open(self.path, os.O_WRONLY | os.O_APPEND)
            os.write(handle, b"\n")
            os.close(handle)
        self._append(record)
        self.records.append(record)


def warning(earlier: list[dict[str, Any]]) -> str:
    """What to say about earlier releases."""
    last = earlier[-1]
    return (
        f"this table was released {len(earlier)} times before with other settings (last on {last['date']}, k = {last['k']}): whoever has "
        "both can intersect them; covey check --against says how many records they single out together, where a column that "
        "both publish links them"
    )
