"""What a caller may catch. Every error of Covey is a `CoveyError` and says what was given, needed, and to do."""

from __future__ import annotations


class CoveyError(Exception):
    """The root of all errors that Covey raises on purpose."""


class InputError(CoveyError, ValueError):
    """The data cannot be used as they are: empty, missing values, not numbers, the wrong shape."""


class OptionError(CoveyError, ValueError):
    """A method, cost or option does not exist, has a value it cannot have, or does not fit the others."""


class InfeasibleError(CoveyError, ValueError):
    """No partition meets all that was asked for."""


class MissingExtraError(CoveyError, ImportError):
    """An optional package is needed; the message names the extra to install."""
