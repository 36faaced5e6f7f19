"""`NetworkRecipe`: every choice that makes a release of a network. Reads and writes TOML."""

from __future__ import annotations

import json
import math
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

from covey.errors import InputError, OptionError, did_you_mean
from covey.utils.extras import load

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


@dataclass(frozen=True, kw_only=True)
class NetworkRecipe:
    """What of a network to release and how. The same recipe, with its seed, and the same network give the same release.

    Parameters
    ----------
    lower, upper, distance, connected, objective, length, header, directed, follow_directions, method, time_limit, options, small_components
        As in `covey.network.release`.
    vertex, numeric, ordered, unordered, counts, base, threshold, keep, seed
        As there, too.

    Examples
    --------
    >>> recipe = NetworkRecipe(lower=5, connected=True, counts="suppress")
    >>> print(recipe.to_toml(), end="")
    lower = 5
    connected = true
    counts = "suppress"
    >>> NetworkRecipe.from_toml(recipe.to_toml()) == recipe
    True
    """

    lower: int
    upper: int | None = None
    distance: float | None = None
    connected: bool = False
    objective: str = "radius"
    length: str | None = None
    header: bool | None = None
    directed: bool | None = None
    follow_directions: bool = False
    method: str = "auto"
    time_limit: float | None = 60.0
    options: Mapping[str, Any] = field(default_factory=dict)
    small_components: str = "error"
    vertex: str = "vertex"
    numeric: Sequence[str] = ()
    ordered: Mapping[str, Sequence[str]] | Sequence[str] = ()
    unordered: Sequence[str] = ()
    counts: str = "round"
    base: int | None = None
    threshold: int | None = None
    keep: Sequence[str] = ()
    seed: int | None = None

    def with_changes(self, **changes: Any) -> NetworkRecipe:
        """The same recipe but for these choices."""
        return replace(self, **changes)

    def as_dict(self) -> dict[str, Any]:
        """The choices that are not the default, as plain values; no time limit is one of infinity, the seed is text."""
        usual = NetworkRecipe(lower=0)
        chosen = {name: _plain(getattr(self, name)) for name in NAMES if getattr(self, name) != getattr(usual, name)}
        if self.time_limit is None:
            chosen["time_limit"] = math.inf
        if self.seed is not None:
            chosen["seed"] = str(self.seed)  # more bits than a whole number of TOML has
        return {name: value for name, value in chosen.items() if value not in (None, [], {})}

    def to_toml(self) -> str:
        """The recipe as a TOML document."""
        text: str = load("tomli_w").dumps(self.as_dict())
        return text

    @classmethod
    def from_toml(cls, text: str) -> NetworkRecipe:
        """Read a TOML document."""
        try:
            choices = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            msg = f"the recipe is not TOML: {re.sub(r'[^ -~]', '?', str(error))}; needed: lines such as lower = 5"
            raise InputError(msg) from None
        return cls.from_dict(choices)

    @classmethod
    def from_dict(cls, choices: Mapping[str, Any]) -> NetworkRecipe:
        """Build a recipe from plain values; an unknown name is an error."""
        for name in choices:
            if name not in NAMES:
                msg = f"there is no choice {name!r} in the recipe of a network{did_you_mean(name, NAMES)}; known: {', '.join(NAMES)}"
                raise OptionError(msg)
        if choices.get("lower") is None:
            raise OptionError(
                "lower is not given; needed: the least number of vertices in a cluster; add lower (--lower 5)"
            )
        read = dict(choices)
        if read.get("time_limit") == math.inf:
            read["time_limit"] = None
        if isinstance(read.get("seed"), str):
            if not read["seed"].isascii() or not read["seed"].isdecimal():
                raise OptionError(
                    "the seed of the recipe is no whole number; needed: None or a whole number of at least 0"
                )
            read["seed"] = int(read["seed"])
        return cls(**read)


NAMES = tuple(f.name for f in fields(NetworkRecipe))
"""The choices, in the order in which a recipe is written."""


def read_network_recipe(path: Path) -> NetworkRecipe:
    """Read a recipe file, or the recipe of the internal certificate of a network (.json).

    Parameters
    ----------
    path
        A file in TOML, or an internal certificate.

    Returns
    -------
    NetworkRecipe
        What it asks for.

    Raises
    ------
    InputError
        It cannot be read, or is neither of them.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "network.toml"
    ...     _ = path.write_text(NetworkRecipe(lower=5).to_toml(), encoding="utf-8")
    ...     read_network_recipe(path).lower
    5
    """
    try:
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".json":
            return NetworkRecipe.from_dict(json.loads(text)["recipe"])
        return NetworkRecipe.from_toml(text)
    except (json.JSONDecodeError, KeyError, TypeError):
        raise InputError(
            f"{path.name!r} is no internal certificate of a network; needed: one, or a recipe in TOML"
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise InputError(f"the recipe {path.name!r} cannot be read: {reason}; needed: a TOML file") from None


def chosen(recipe: NetworkRecipe | None, choices: Mapping[str, Any]) -> NetworkRecipe:
    """The recipe with the choices that are given beside it, which are those that are not the default."""
    if recipe is None:
        return NetworkRecipe.from_dict({name: value for name, value in choices.items() if _is_given(name, value)})
    if not isinstance(recipe, NetworkRecipe):
        raise OptionError(
            f"recipe is a {type(recipe).__name__}; needed: a covey.network.NetworkRecipe; for a file, read_recipe"
        )
    usual = NetworkRecipe(lower=0)
    beside = {
        name: value for name, value in choices.items() if _is_given(name, value) and value != getattr(usual, name)
    }
    return recipe.with_changes(**beside)


def _is_given(name: str, value: object) -> bool:
    """Whether it is a choice, and one was made; that there is no time limit is one."""
    return name in NAMES and (value is not None or name == "time_limit")


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    return value
