"""What a caller may catch. Every error of Covey is a `CoveyError` and says what was given, needed, and to do."""

from __future__ import annotations

import difflib
import shlex
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "CoveyError",
    "InfeasibleError",
    "InputError",
    "MissingExtraError",
    "OptionError",
    "OutputError",
    "RefusedError",
    "did_you_mean",
    "missing_values",
    "pasted",
    "shown",
]


class CoveyError(Exception):
    """The root of all errors that Covey raises on purpose.

    Examples
    --------
    >>> import covey
    >>> try:
    ...     covey.partition([1.0, 2.0], k=3)
    ... except covey.CoveyError as error:
    ...     print(type(error).__name__)
    OptionError
    """


class InputError(CoveyError, ValueError):
    """The data cannot be used as they are: empty, missing values, not numbers, the wrong shape."""


class OptionError(CoveyError, ValueError):
    """A method, cost or option does not exist, has a value it cannot have, or does not fit the others."""


class InfeasibleError(CoveyError, ValueError):
    """No partition meets all that was asked for."""


class RefusedError(CoveyError):
    """The recount of a release fell short of what was asked; nothing was written."""


class OutputError(CoveyError, OSError):
    """The output cannot be written: it exists, the folder does not, the disk is full, the format cannot hold it."""


class MissingExtraError(CoveyError, ImportError):
    """A package is needed that is not installed, or cannot be imported; the message names the extra to install, or the cause."""


def shown(value: object) -> str:
    """How to show a value that a caller gave: in full if it is plain, else only its type, for it may hold data."""
    plain = value is None or isinstance(value, bool | int | float | str)
    text = repr(value) if plain else ""
    return text if 0 < len(text) <= 60 else f"a {type(value).__name__}"


def did_you_mean(name: object, known: Iterable[str]) -> str:
    """The part of a message that names the nearest of all names there are, or nothing where none is near.

    >>> did_you_mean("quaasi", ["quasi", "sensitive"]), did_you_mean("AGE", ["age", "wage"]), did_you_mean("x", ["age"])
    ("; did you mean 'quasi'?", "; did you mean 'age'?", '')
    """
    if not isinstance(name, str):
        return ""
    known = list(known)
    folded = [other for other in known if other.casefold() == name.casefold()]
    near = folded or difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    return f"; did you mean {near[0]!r}?" if near else ""


def missing_values(count: int) -> InputError:
    """The error for data with gaps."""
    return InputError(f"X holds {count} missing values; needed: none; drop or fill those records first")


def pasted(names: Iterable[str]) -> str:
    r"""Names of columns as a shell and the command line take them: a name with a comma stands in double quotes.

    >>> pasted(["age", "sex"]), pasted(["a,b", "my income"])
    ('age,sex', '\'"a,b",my income\'')
    """
    return shlex.quote(
        ",".join(f'"{name.replace(chr(34), chr(34) * 2)}"' if set(name) & set(',"') else name for name in names)
    )
