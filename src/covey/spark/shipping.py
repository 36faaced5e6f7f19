"""Functions that run in executors, and what they may say: errors of Covey by their name, of others the type alone."""

from __future__ import annotations

import contextlib
import pickle
import re
from typing import TYPE_CHECKING, Any

from covey import errors
from covey.errors import CoveyError
from covey.extras import load

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_NAMED = re.compile(r"covey\.errors\.(\w+): (.*)")


def discreet(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The same function of a table; errors that are not of Covey's making lose their text, which could show values."""

    def run(table: Any) -> Any:
        with _discretion():
            return function(table)

    return run


def discreetly(function: Callable[[Iterable[Any]], Iterator[Any]]) -> Callable[[Iterable[Any]], Iterator[Any]]:
    """The same for a generator over batches."""

    def run(batches: Iterable[Any]) -> Iterator[Any]:
        with _discretion():
            yield from function(batches)

    return run


@contextlib.contextmanager
def _discretion() -> Iterator[None]:
    try:
        yield
    except CoveyError:
        raise
    except Exception as error:  # noqa: BLE001
        msg = f"an executor failed with {type(error).__name__}; its message is withheld, since it could show values"
        raise CoveyError(msg) from None


def collect(df: Any) -> list[Any]:
    """The few rows of a small dataframe, on the driver. Errors of executors become what they were there."""
    try:
        return list(df.collect())
    except CoveyError:
        raise
    except Exception as error:  # noqa: BLE001
        raise known_error(error) from None


def known_error(error: Exception) -> CoveyError:
    """The error of Covey that an executor raised; for others what Spark calls them."""
    found = _NAMED.findall(str(error))
    if found:
        name, text = found[-1]
        kind = getattr(errors, name, CoveyError)
        return CoveyError(text) if not issubclass(kind, CoveyError) else kind(text)
    return CoveyError(f"Spark gave up with {type(error).__name__}; look into the logs of the cluster")


def packed(value: Any) -> bytes:
    """A value on its way between driver and executors."""
    return pickle.dumps(value, protocol=5)


def unpacked(data: Any) -> Any:
    """The value again. Only what our own executors packed is ever read."""
    return pickle.loads(bytes(data))  # noqa: S301


def one_row(**values: Any) -> Any:
    """A batch of one row."""
    return load("pyarrow").RecordBatch.from_pydict({name: [value] for name, value in values.items()})
