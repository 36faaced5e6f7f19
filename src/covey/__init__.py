"""Covey: microaggregation with the least possible loss.

Every record is published as one of at least k similar ones. Exact where exact is possible, honest where it is not.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from covey import datasets, io, line, network, space
    from covey.checking.certificate import check_certificate
    from covey.checking.table import check
    from covey.comparison import compare
    from covey.core.left_out import LeftOut
    from covey.core.partition import Partition
    from covey.core.solution import Solution
    from covey.errors import CoveyError
    from covey.files.release import release_file
    from covey.files.work import FileRelease
    from covey.measures.measures import Measuring
    from covey.memory import Release, release
    from covey.methods import leave_out, partition, solve
    from covey.recipe.recipe import Recipe
    from covey.recipe.roles import Roles
    from covey.recount.classes import verify
    from covey.tables.release import TablesRelease, release_tables

    __version__: str

__all__ = [
    "CoveyError",
    "FileRelease",
    "LeftOut",
    "Measuring",
    "Partition",
    "Recipe",
    "Release",
    "Roles",
    "Solution",
    "TablesRelease",
    "__version__",
    "check",
    "check_certificate",
    "compare",
    "datasets",
    "io",
    "leave_out",
    "line",
    "network",
    "partition",
    "release",
    "release_file",
    "release_tables",
    "solve",
    "space",
    "verify",
]

_MODULES = ("datasets", "io", "line", "network", "space")
_HOMES = {
    "CoveyError": "errors",
    "FileRelease": "files.work",
    "Measuring": "measures.measures",
    "LeftOut": "core.left_out",
    "Partition": "core.partition",
    "Recipe": "recipe.recipe",
    "Release": "memory",
    "Roles": "recipe.roles",
    "Solution": "core.solution",
    "TablesRelease": "tables.release",
    "check": "checking.table",
    "check_certificate": "checking.certificate",
    "compare": "comparison",
    "leave_out": "methods",
    "partition": "methods",
    "release": "memory",
    "release_file": "files.release",
    "release_tables": "tables.release",
    "solve": "methods",
    "verify": "recount.classes",
}
"""The module that each public name comes from."""


def __dir__() -> list[str]:
    """The public names, and nothing else: modules that they come from may move."""
    return sorted(__all__)


def __getattr__(name: str) -> Any:
    """A public name is loaded when it is first used: who needs one of them does not wait for the others."""
    from importlib import import_module

    if name in _MODULES:
        return import_module(f"covey.{name}")
    if name in _HOMES:
        value = getattr(import_module(f"covey.{_HOMES[name]}"), name)
        globals()[name] = value
        return value
    if name == "__version__":
        from covey.utils.version import version

        return version()
    msg = f"module 'covey' has no attribute {name!r}"
    raise AttributeError(msg)
