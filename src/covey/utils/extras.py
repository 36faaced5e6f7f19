"""Optional packages: imported when they are needed, with an error that names the extra to install, or why one cannot be imported."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
from typing import Any

from covey.errors import MissingExtraError

_EXTRAS = {
    "duckdb": ("duckdb",),
    "fastapi": ("web",),
    "fastexcel": ("excel",),
    "fsspec": ("remote",),
    "matplotlib": ("report",),
    "networkx": ("network",),
    "nicegui": ("web",),
    "ortools": ("network",),
    "pandas": ("pandas", "statistical", "spark"),
    "polars": ("polars",),
    "psycopg": ("postgresql",),
    "pyreadstat": ("statistical",),
    "pyspark": ("spark",),
    "scipy": ("report", "exact", "network"),
    "sklearn": ("sklearn",),
    "threadpoolctl": ("sklearn",),
    "uvicorn": ("web",),
    "xlsxwriter": ("excel",),
}
"""Package to the extras that bring it; others come with Covey itself."""

_ROOMS = {
    "covey.network": "network",
    "covey.space": "exact",
    "covey.line": "exact",
    "covey.io.statistical": "statistical",
    "covey.spark": "spark",
    "covey.commands.spark": "spark",
}
"""Where a package is asked for, to the extra that is then meant if several bring it."""

MOST_OF_A_CAUSE = 300


def load(module: str) -> Any:
    """Import a module of an optional package.

    >>> load("math").sqrt(4.0)
    2.0
    """
    try:
        return importlib.import_module(module)
    except MissingExtraError:
        raise
    except Exception as error:
        raise unusable(module, error) from error


def is_installed(package: str) -> bool:
    """Whether a package can be found; it is not imported.

    >>> is_installed("math"), is_installed("no_such_package")
    (True, False)
    """
    return importlib.util.find_spec(package) is not None


class Lazy:
    """A module that is imported when one of its names is first asked for.

    >>> Lazy("math").sqrt(4.0)
    2.0
    """

    def __init__(self, module: str) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        return getattr(load(self._module), name)

    def __reduce__(self) -> tuple[type[Lazy], tuple[str]]:
        """Sent to another process, it is imported there."""
        return Lazy, (self._module,)


def unusable(module: str, error: Exception) -> MissingExtraError:
    """The error for a module that cannot be imported: its package is not installed, or is, and fails."""
    package = module.split(".", maxsplit=1)[0]
    extra = _extra(package)
    bring = "pip install " + (f"'covey[{extra}]'" if extra else "covey")
    if importlib.util.find_spec(package) is None:
        return MissingExtraError(f"{package} is not installed; install it with: {bring}")
    return MissingExtraError(
        f"{package} is installed and cannot be imported: {_cause(error)}; needed: a copy that works; repair it, or install it anew "
        f"with: {bring.replace('install ', 'install --force-reinstall ')}"
    )


def _extra(package: str) -> str:
    """The extra that brings a package; if several do, that of the nearest room which asks; nothing: Covey itself does."""
    known = _EXTRAS.get(package, ())
    frame = inspect.currentframe()
    while frame is not None and len(known) > 1:
        asks = frame.f_globals.get("__name__", "")
        for room, extra in _ROOMS.items():
            if extra in known and (asks == room or asks.startswith(f"{room}.")):
                return extra
        frame = frame.f_back
    return known[0] if known else ""


def _cause(error: BaseException) -> str:
    """What came first, in one line: packages wrap it in pages of advice."""
    while (inner := error.__cause__ or error.__context__) is not None:
        error = inner
    return f"{type(error).__name__}: {' '.join(str(error).split())[:MOST_OF_A_CAUSE]}"
