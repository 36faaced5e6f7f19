"""What the engines made of the recipes when it was last recorded, and where that differs from what they make now."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "recorded"


def recorded(name: str) -> dict[str, Any]:
    """Engine to what was recorded of a recipe."""
    path = FOLDER / f"{name}.json"
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return found


def record(name: str, engines: dict[str, Any]) -> None:
    FOLDER.mkdir(exist_ok=True)
    text = json.dumps(engines, indent=1, ensure_ascii=False, sort_keys=True)
    (FOLDER / f"{name}.json").write_text(text + "\n", encoding="utf-8")


def differences(before: dict[str, Any], now: dict[str, Any]) -> list[str]:
    """What differs, one line each: schema, rows, values, bytes, ids, certificate, notes, or a refusal."""
    lines = []
    for what in sorted(before.keys() | now.keys()):
        was, became = before.get(what), now.get(what)
        if was != became:
            was, became = _apart(was, became)
            shown = "" if what in ("values", "bytes") and was and became else f": recorded {was}, now {became}"
            lines.append(f"{what}{shown}")
    return lines


def _apart(was: Any, became: Any) -> tuple[Any, Any]:
    """Of two lists or mappings, what the other does not have."""
    if isinstance(was, list) and isinstance(became, list):
        return [one for one in was if one not in became], [one for one in became if one not in was]
    if isinstance(was, dict) and isinstance(became, dict):
        differ = [name for name in {**was, **became} if was.get(name) != became.get(name)]
        return {name: was.get(name) for name in differ}, {name: became.get(name) for name in differ}
    return was, became
