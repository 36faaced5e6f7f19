"""`Choice`: what a field of `Roles` or `Recipe` is to those who decide. Options, checks, pages and the reference are made from it."""

from __future__ import annotations

import inspect
from dataclasses import Field, dataclass, field, fields
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from covey.recipe.forms import Form

_KEY = "choice"
Value = TypeVar("Value")
Kind = TypeVar("Kind", bound=type)


class Panel(StrEnum):
    """Where an option stands in the help of a command, in this order."""

    NEEDED = "What everybody needs"
    ROLES = "Roles"
    TYPES = "Types"
    PROTECTION = "Protection"
    REQUIREMENTS = "Requirements"
    RISK = "Records at risk"
    INPUT = "Input"
    OUTPUT = "Output"
    ENGINE = "Engine"


@dataclass(frozen=True)
class Choice:
    """A choice: its form, which checks and reads it; a sentence of help; and what the reference says beside that sentence."""

    form: Form
    panel: Panel
    sentence: str
    more: str = ""
    flag: str = ""
    """The option, where it is not the name of the field."""
    old: tuple[str, ...] = ()
    """Earlier spellings of the option, which are taken for one version, with a warning."""
    is_option: bool = True
    """Whether it is offered as an option; a secret is not, since others see the options of running programs."""

    @property
    def help(self) -> str:
        """The sentence, with the words that may be chosen."""
        words = self.form.words
        return f"{self.sentence[:-1]}: {', '.join(words[:-1])} or {words[-1]}." if words else self.sentence

    @property
    def text(self) -> str:
        """All that there is to say."""
        return f"{self.help} {self.more}".strip()

    def metadata(self) -> dict[str, Choice]:
        """What a field of a dataclass holds."""
        return {_KEY: self}


def choice(form: Form, panel: Panel, sentence: str, more: str = "", *, default: Value, **others: Any) -> Value:
    """A field of a dataclass that is a choice, with its default; the others are fields of `Choice`."""
    metadata = Choice(form, panel, sentence, more, **others).metadata()
    if isinstance(default, dict):
        return field(default_factory=type(default), metadata=metadata)
    return field(default=default, metadata=metadata)


def choices_of(*kinds: type) -> dict[str, Choice]:
    """The choices of dataclasses, by name and in order."""
    return {f.name: f.metadata[_KEY] for kind in kinds for f in fields(kind) if _KEY in f.metadata}


def default_of(f: Field[Any]) -> object:
    """The default of a field."""
    return f.default_factory() if callable(f.default_factory) else f.default


def check_choices(record: object) -> None:
    """Check every choice of a frozen record, and keep each in its usual form: lists as tuples, one name as a list of one."""
    for f in fields(record):  # type: ignore[arg-type]
        value = getattr(record, f.name)
        if value is not None or f.default is not None:
            object.__setattr__(record, f.name, f.metadata[_KEY].form.check(value, f.name))


def with_parameters(kind: Kind) -> Kind:
    """The same dataclass, with a docstring that describes its parameters by the choices that its fields hold."""
    entries = [f"{name}\n    {described.text}" for name, described in choices_of(kind).items()]
    section = "\n".join(["Parameters", "----------", *entries, "", "Examples"])
    kind.__doc__ = inspect.cleandoc(kind.__doc__ or "").replace("Examples", section, 1)
    return kind
