"""What can be downloaded, by name: the browser asks for one of these names, never for a path."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple


class Download(NamedTuple):
    """A file of a finished release."""

    title: str
    file: str
    sentence: str
    public: bool = False


TABLE = {
    "table": Download("The table", "release{suffix}", "What you publish: recounted after it was written.", public=True),
    "certificate": Download(
        "Certificate", "certificate.json", "What was counted, for those who get the table.", public=True
    ),
    "report": Download(
        "Public report", "report.html", "What was done and lost, rounded, for those who get the table.", public=True
    ),
    "internal_report": Download(
        "Internal report", "report-internal.html", "Everything that was measured on the original. Keep it."
    ),
    "internal": Download(
        "Internal certificate", "certificate-internal.json", "With the recipe and its secret. Keep it."
    ),
    "recipe": Download(
        "Recipe",
        "recipe-internal.toml",
        "Every choice and the secret: the command line makes the same file of it. Keep it where the original is.",
    ),
}
NETWORK = TABLE | {
    "table": Download(
        "The clusters", "release{suffix}", "What you publish: recounted after it was written.", public=True
    ),
    "edges": Download("The links", "release-edges{suffix}", "The pairs of clusters that are linked.", public=True),
}
OFFERED = {"table": TABLE, "network": NETWORK}


def companions_in(folder: str) -> dict[str, Path]:
    """Where in a folder reports and certificates are written, as `write` takes them."""
    return {name: Path(folder) / TABLE[name].file for name in ("report", "internal_report", "certificate", "internal")}


def place_of(name: str, suffix: str) -> str:
    """The file that stands behind a name.

    >>> place_of("table", ".csv"), place_of("edges", ".csv")
    ('release.csv', 'release-edges.csv')
    """
    return (TABLE | NETWORK)[name].file.format(suffix=suffix)
