"""What the renderers share."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


def load(name: str) -> dict[str, Any] | None:
    path = HERE / "results" / f"{name}.json"
    if not path.exists():
        return None
    data: dict[str, Any] = json.loads(path.read_text())
    return data


def table(header: list[str], rows: list[list[str]]) -> str:
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def origin(data: dict[str, Any]) -> str:
    machine = ", ".join(f"{name} {value}" for name, value in data["machine"].items())
    return f"`{data['command']}`, commit {data['commit']}, {data['date']}; {machine}."


def verdict(held: bool) -> str:  # noqa: FBT001
    return "yes" if held else "**no**"
