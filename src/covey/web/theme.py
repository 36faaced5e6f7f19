"""The colours of the page, light and dark, and its style sheet. A test computes their contrast (WCAG AA)."""

from __future__ import annotations

from pathlib import Path

LIGHT = {
    "ground": "#f4f6f8",
    "card": "#ffffff",
    "text": "#1b2733",
    "muted": "#4a5a6a",
    "line": "#7b8794",
    "soft": "#e3e8ed",
    "primary": "#1f5f8b",
    "on-primary": "#ffffff",
    "before": "#b3540e",
    "after": "#1f5f8b",
    "good": "#1d6b3a",
    "bad": "#a8241c",
}
DARK = {
    "ground": "#11171d",
    "card": "#1a222b",
    "text": "#e6edf3",
    "muted": "#b0bdc9",
    "line": "#7c8b9a",
    "soft": "#2b3742",
    "primary": "#84c1f2",
    "on-primary": "#0b1a27",
    "before": "#f0a868",
    "after": "#84c1f2",
    "good": "#86d8a5",
    "bad": "#ffa197",
}


def _variables(colours: dict[str, str]) -> str:
    quasar = {
        "q-primary": "primary",
        "q-positive": "good",
        "q-negative": "bad",
        "q-dark": "card",
        "q-dark-page": "ground",
    }
    own = "".join(f"--{name}: {value};" for name, value in colours.items())
    return own + "".join(f"--{name}: {colours[ours]} !important;" for name, ours in quasar.items())


def style() -> str:
    """The style sheet, with the colours of both modes."""
    colours = "".join(
        f"body.body--{mode} {{ {_variables(chosen)} }}\n" for mode, chosen in (("light", LIGHT), ("dark", DARK))
    )
    return colours + (Path(__file__).parent / "style.css").read_text(encoding="utf-8")
