"""Optional packages: imported when they are needed, with an error that names the extra to install."""

from __future__ import annotations

import importlib
from typing import Any

from covey.errors import MissingExtraError

_EXTRAS = {
    "scipy": "report",
    "matplotlib": "report",
    "threadpoolctl": "sklearn",
    "fastexcel": "excel",
    "xlsxwriter": "excel",
    "pyreadstat": "statistical",
    "psycopg": "postgresql",
    "networkx": "network",
    "igraph": "network",
    "ortools": "network",
    "pyspark": "spark",
    "nicegui": "web",
    "fastapi": "web",
    "uvicorn": "web",
}


def load(module: str) -> Any:
    """Import a module of an optional package.

    >>> load("math").sqrt(4.0)
    2.0
    """
    try:
        return importlib.import_module(module)
    except ImportError:
        package = module.split(".", maxsplit=1)[0]
        extra = _EXTRAS.get(package, package)
        msg = f"{package} is not installed; install it with: pip install 'covey[{extra}]'"
        raise MissingExtraError(msg) from None
