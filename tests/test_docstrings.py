"""Every public name says what it is, what each of its parameters is, and shows an example."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from numpydoc.docscrape import NumpyDocString

from covey.costs import Cost
from covey.recipe.keywords import Choices

if TYPE_CHECKING:
    from collections.abc import Iterator

REFERENCE = Path(__file__).parent.parent / "docs" / "reference"
SHOWN_ELSEWHERE = {"covey.FileRelease", "covey.space.NotJointlyAnonymousWarning"}  # by what makes them


def listed(page: Path) -> Iterator[str]:
    """The names that a page of the reference documents."""
    module, inside = "", False
    for line in page.read_text(encoding="utf-8").splitlines():
        if line.startswith(".. "):
            inside = line.startswith(".. autosummary")
            module = line.split()[-1] + "." if line.startswith(".. currentmodule") else module
        elif inside and line.startswith("   ") and not line.lstrip().startswith(":"):
            name = line.strip()
            yield name if name.startswith("covey.") else module + name


def find(name: str) -> Any:
    """What a name stands for: of `covey.release` the function, not the module."""
    parts = name.split(".")
    module = importlib.import_module(parts[0])
    found: Any = module
    for place, part in enumerate(parts[1:], start=2):
        if not hasattr(found, part):
            importlib.import_module(".".join(parts[:place]))
        found = getattr(found, part)
    return found


PUBLIC = {name: find(name) for page in sorted(REFERENCE.glob("*.rst")) for name in listed(page)}


def described(value: Any) -> set[str]:
    """The names that the docstring describes; of a method for networks, its base's, too."""
    found = set()
    for one in value.__mro__ if inspect.isclass(value) else [value]:
        if not (one.__doc__ and one.__module__.startswith("covey")):
            continue
        parsed = NumpyDocString(inspect.cleandoc(one.__doc__))
        for section in ("Parameters", "Attributes"):
            found |= {name.strip() for entry in parsed[section] for name in entry.name.split(",")}
    return found | set(Choices.__annotations__) if "choices" in found else found


def parameters(value: Any) -> list[str]:
    if inspect.isclass(value) and dataclasses.is_dataclass(value):
        return [field.name for field in dataclasses.fields(value) if not field.name.startswith("_")]
    if inspect.isclass(value) and "__init__" not in vars(value):
        return list(getattr(value, "_fields", ()))
    if value is Cost:  # a protocol: nobody makes one
        return []
    return [name for name in inspect.signature(value).parameters if not name.startswith("_")]


@pytest.mark.parametrize("name", PUBLIC)
def test_every_parameter_is_described(name: str) -> None:
    value = PUBLIC[name]
    if isinstance(value, type) and issubclass(value, Exception):
        return
    assert not set(parameters(value)) - described(value)


@pytest.mark.parametrize("name", PUBLIC)
def test_it_says_what_it_is_in_a_sentence_and_shows_it(name: str) -> None:
    text = PUBLIC[name].__doc__
    assert text
    assert text.splitlines()[0].strip().endswith(".")
    assert ">>>" in text or name in SHOWN_ELSEWHERE or name.startswith(("covey.errors.", "covey.spark."))


@pytest.mark.parametrize("name", PUBLIC)
def test_a_function_says_what_it_returns(name: str) -> None:
    value = PUBLIC[name]
    if inspect.isfunction(value):
        parsed = NumpyDocString(inspect.cleandoc(value.__doc__ or ""))
        assert parsed["Returns"] or parsed["Yields"]
