"""`Form`: how a choice is checked, and how it is written on the command line and on the page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from covey.recipe.texts import names, one_or_each, pairs, plain
from covey.recipe.values import as_mapping, as_names, as_number, as_word, instance_of

Check = Callable[[object, str], object]
"""Takes a value and what it is called in messages; returns it as it is kept, or raises an `OptionError`."""


@dataclass(frozen=True)
class Form:
    """How a choice is checked (`check`) and, where its option may be repeated (`repeats`), read from all that was given (`read`)."""

    check: Check
    metavar: str | None = None
    type: type = str
    repeats: bool = False
    read: Callable[[Sequence[str], str], object] = lambda texts, _option: list(texts)
    words: tuple[str, ...] = ()

    def from_text(self, text: str, name: str) -> object:
        """The value that a field of the page holds; a line is what an option of the command line is given once."""
        if self.repeats:
            return self.read([line for line in text.splitlines() if line.strip()], name)
        return text.strip() if self.type is str else plain(text.strip())


def column() -> Form:
    """The name of one column."""
    return Form(instance_of(str, "the name of one column"), "COL")


def columns() -> Form:
    """Names of columns."""
    return Form(as_names, "COL,...", repeats=True, read=lambda texts, _: names(texts))


def flag() -> Form:
    """True or false."""
    return Form(instance_of(bool, "true or false"), type=bool)


def number(low: float, high: float | None = None) -> Form:
    """A number within bounds."""
    return Form(lambda value, label: as_number(value, label, low, high), type=float)


def word(*words: str) -> Form:
    """One of a few words."""
    return Form(lambda value, label: as_word(value, label, words), words=words)


def each(
    label: str,
    check: Check,
    metavar: str = "COL=VALUE",
    *,
    read: Callable[[str], object] = plain,
    text_follows: bool = False,
) -> Form:
    """Something for each of the columns that are named; `label` has a place for the column."""

    def check_all(value: object, name: str) -> object:
        given = as_mapping(value, name)
        return {column: check(one, label.format(column=column)) for column, one in given.items()}

    def read_all(texts: Sequence[str], option: str) -> object:
        return {column: read(text) for column, text in pairs(texts, option, text_follows=text_follows).items()}

    return Form(check_all, metavar, repeats=True, read=read_all)


def for_all_or_each(check: Check, metavar: str, *, read: Callable[[str], object] = plain) -> Form:
    """Something for all columns, or for each of those that are named."""

    def check_all(value: object, name: str) -> object:
        if not isinstance(value, Mapping):
            return check(value, name)
        return {column: check(one, f"{name} of {column!r}") for column, one in as_mapping(value, name).items()}

    return Form(check_all, metavar, repeats=True, read=lambda texts, option: one_or_each(texts, option, read))
