"""The version of the installed package."""

from __future__ import annotations


def version() -> str:
    """The version of the package."""
    from importlib.metadata import version as installed

    return installed("covey")
