"""Options of commands: records of options that several commands share, and options that are made from the choices of a recipe."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from inspect import Parameter
from typing import Annotated, Any, get_args, get_type_hints

import typer
from typer.core import TyperCommand

from covey.commands import shared
from covey.methods import METHODS
from covey.recipe.choice import Choice, Panel, choices_of
from covey.recipe.recipe import Recipe
from covey.recipe.roles import Roles

_ALL = choices_of(Roles, Recipe)
CHOICES = {name: _ALL[name] for name in dict.fromkeys(("k", *_ALL)) if _ALL[name].is_option}
"""What may be chosen by options, in the order of the help."""


@dataclass(frozen=True)
class RecordOptions:
    """The fields of a dataclass as options."""

    record: type

    def parameters(self) -> list[Parameter]:
        """The options, as typer reads them: a field that is annotated as an option is one."""
        kinds = get_type_hints(self.record, include_extras=True)
        return [
            _parameter(f.name, kinds[f.name], Parameter.empty if f.default is MISSING else f.default)
            for f in fields(self.record)
        ]

    def collect(self, options: dict[str, Any]) -> object:
        """Take them out of all options, as the record."""
        return self.record(**{f.name: options.pop(f.name) for f in fields(self.record)})


@dataclass(frozen=True)
class RecipeOptions:
    """Choices of a recipe as options: all, some (`only`) or all but some (`without`); `sentences` say what some mean here."""

    only: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    sentences: Mapping[str, str] = field(default_factory=dict)

    @property
    def names(self) -> list[str]:
        """The names of these choices."""
        return [name for name in self.only or CHOICES if name not in self.without]

    def parameters(self) -> list[Parameter]:
        """An option for every choice, and a hidden one for every earlier spelling."""
        parameters = []
        for name in self.names:
            chosen = CHOICES[name]
            parameters.append(_parameter(name, _option_of(name, chosen, self.sentences.get(name, chosen.help)), None))
            for old in chosen.old:
                kind: Any = list[str] if chosen.form.repeats else chosen.form.type
                option = Annotated[kind | None, typer.Option(f"--{old}", hidden=True)]
                parameters.append(_parameter(_key(old), option, None))
        return parameters

    def collect(self, options: dict[str, Any]) -> dict[str, Any]:
        """What was chosen, by the names of choices; what was not given is left out."""
        chosen = {}
        for name in self.names:
            form, value = CHOICES[name].form, options.pop(name)
            for old in CHOICES[name].old:
                earlier = options.pop(_key(old))
                if earlier:
                    say_renamed(old, f"no-{name}" if form.type is bool else name)
                    value = [*(value or ()), *earlier] if form.repeats else False
            if value is not None and value != []:
                chosen[name] = form.read(value, option_name(name)) if form.repeats else value
        return chosen


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """The command, with every parameter that is a group of options taken apart into those."""
    parameters, groups = [], {}
    for parameter in inspect.signature(command, eval_str=True).parameters.values():
        group = _group(parameter.annotation)
        if group is not None:
            groups[parameter.name] = group
            parameters += group.parameters()
        else:
            parameters.append(parameter.replace(kind=Parameter.KEYWORD_ONLY))

    @functools.wraps(command)
    def run(**options: Any) -> None:
        arguments = {name: group.collect(options) for name, group in groups.items()}
        command(**arguments, **options)

    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run


class PanelCommand(TyperCommand):
    """A command whose help shows its options in panels."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments, the panels in their order, and what belongs to none."""
        panels: dict[str, list[tuple[str, str]]] = {name: [] for name in ("Arguments", *Panel, "Options")}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None:
                is_argument = parameter.param_type_name == "argument"
                panel = "Arguments" if is_argument else getattr(parameter, "rich_help_panel", None) or "Options"
                panels[panel].append(record)
        for name, records in panels.items():
            if records:
                with formatter.section(name):
                    formatter.write_dl(records)


def option_name(name: str) -> str:
    """How a choice is called on the command line, without the dashes."""
    return name.replace("_", "-")


def say_renamed(old: str, name: str) -> None:
    """Say that an option has another name now."""
    shared.errors.print(
        f"covey: --{old} is now --{option_name(name)}; the old name is taken in this version for the last time"
    )


def _group(annotation: Any) -> RecordOptions | RecipeOptions | None:
    if is_dataclass(annotation):
        return RecordOptions(annotation)  # type: ignore[arg-type]
    return next((kind for kind in get_args(annotation) if isinstance(kind, RecipeOptions)), None)


def _option_of(name: str, chosen: Choice, sentence: str) -> Any:
    """The option of a choice, as typer reads it."""
    form, flag = chosen.form, chosen.flag or f"--{option_name(name)}"
    flag = f"{flag}/--no-{option_name(name)}" if form.type is bool else flag
    words = ("auto", *METHODS) if name == "method" else form.words
    option = typer.Option(
        flag,
        help=sentence,
        metavar=form.metavar,
        rich_help_panel=chosen.panel.value,
        autocompletion=(lambda: list(words)) if words else None,
    )
    kind: Any = list[str] if form.repeats else form.type
    return Annotated[kind | None, option]


def _parameter(name: str, annotation: Any, default: object) -> Parameter:
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _key(old: str) -> str:
    """The name of the parameter for an earlier spelling."""
    return f"old_{old.replace('-', '_')}"
