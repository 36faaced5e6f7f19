"""The ledger: which tables were released before, so that a second release of the same one is noticed.

Two releases of the same records can be intersected. The ledger knows tables by a hash under a key of its own, which stays
beside it; it holds no value of any table. It lies in `$COVEY_LEDGER`, or in the state folder of the user
(`$XDG_STATE_HOME/covey/ledger.jsonl`); COVEY_LEDGER=off switches it off.
"""

from __future__ import annotations

import datetime as dt
import json
import os
from pathlib import Path
from typing import Any

from covey import entropy


def ledger_path() -> Path | None:
    """Where the ledger lies; None where it is switched off."""
    given = os.environ.get("COVEY_LEDGER")
    if given is not None:
        return None if given in ("", "off") else Path(given)
    state = os.environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
    return Path(state) / "covey" / "ledger.jsonl"


class Ledger:
    """Earlier releases, by table and by settings."""

    def __init__(self, path: Path, key: str | None = None) -> None:
        self.path = path
        self.records: list[dict[str, Any]] = []
        if path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                try:
                    self.records.append(json.loads(line))
                except json.JSONDecodeError:
                    continue  # a line that was cut off tells nothing
        keys = [record["key"] for record in self.records if "key" in record]
        self.key = keys[0] if keys else key or entropy.draw()
        self.new = not keys

    def earlier(self, table: str, settings: str) -> list[dict[str, Any]]:
        """Releases of the same table with other settings."""
        return [one for one in self.records if one.get("table") == table and one.get("settings") != settings]

    def add(self, table: str, settings: str, k: int) -> None:
        """Remember a release. The file is the user's own."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        when = dt.datetime.now(dt.UTC).date().isoformat()
        lines = [{"key": self.key}] if self.new else []
        lines.append({"table": table, "settings": settings, "k": k, "date": when})
        handle = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        with os.fdopen(handle, "a", encoding="utf-8") as file:
            file.writelines(json.dumps(line) + "\n" for line in lines)
        self.records += lines
        self.new = False


def warning(earlier: list[dict[str, Any]]) -> str:
    """What to say about earlier releases."""
    last = earlier[-1]
    return (
        f"this table was released {len(earlier)} times before with other settings (last on {last['date']}, k = {last['k']}): whoever has "
        "both can intersect them; covey check --against says how many records they single out together"
    )
