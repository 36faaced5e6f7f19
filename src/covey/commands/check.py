"""`covey check`."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from covey.checking import check
from covey.checking.certificate import Certified, check_certificate
from covey.commands.options import RecipeOptions, grouped, option_name
from covey.commands.shared import Format, option
from covey.errors import OptionError
from covey.recipe.choice import Panel
from covey.recipe.texts import names, plain
from covey.recipe.values import as_share

CHOICES = RecipeOptions(
    only=("k", "quasi", "sensitive", "unit", "linked", "l_diversity", "t_closeness"),
    sentences={
        "k": "The least class that is asked for.",
        "quasi": "The columns that others may know.",
        "sensitive": "The columns to measure.",
        "unit": "Count different values of this column instead of rows.",
        "linked": "Count units by all of their rows: k units with the same ones.",
        "t_closeness": "The largest t (ordered distance for numbers, else equal).",
    },
)


@dataclass(frozen=True)
class Limits:
    """What may be asked of a published table beside what may be asked of a release."""

    entropy_l: Annotated[float | None, option("The least entropy l-diversity.", Panel.REQUIREMENTS)] = None
    recursive: Annotated[str | None, option("Recursive (c, l)-diversity.", Panel.REQUIREMENTS, metavar="C,L")] = None
    alpha: Annotated[
        str | None,
        option("The largest share of one sensitive value in a class.", Panel.REQUIREMENTS, metavar="SHARE"),
    ] = None
    beta: Annotated[float | None, option("The largest basic beta-likeness.", Panel.REQUIREMENTS)] = None
    enhanced_beta: Annotated[float | None, option("The largest enhanced beta-likeness.", Panel.REQUIREMENTS)] = None
    delta: Annotated[float | None, option("The largest delta-disclosure.", Panel.REQUIREMENTS)] = None
    distance: Annotated[str, option("Of t-closeness: auto, ordered or equal.", Panel.REQUIREMENTS)] = "auto"
    link: Annotated[
        list[str] | None, option("Columns that link the two releases.", Panel.REQUIREMENTS, metavar="COL,...")
    ] = None

    def chosen(self) -> dict[str, Any]:
        """Those that were given."""
        share = None if self.alpha is None else as_share(plain(self.alpha), "alpha")
        given = vars(self) | {"link": tuple(names(self.link)), "alpha": share}
        return {name: value for name, value in given.items() if value not in (None, "auto", ())}


@grouped
def check_command(
    source: Annotated[
        str, typer.Argument(metavar="FILE", help="A published table: a file, - or a database URL#table.")
    ],
    choices: Annotated[dict[str, Any], CHOICES],
    limits: Limits,
    against: Annotated[
        str | None, option("Another release of the same records.", Panel.REQUIREMENTS, metavar="OTHER")
    ] = None,
    format: Format = None,  # noqa: A002
    certificate: Annotated[
        Path | None, option("The certificate of the file, in place of all that is asked.", Panel.NEEDED)
    ] = None,
    *,
    json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Recount any published table, or compare it with its certificate. Exit code 1 if it falls short."""
    asked = choices | limits.chosen()
    if certificate is not None:
        _check_alone(asked | ({} if against is None else {"against": against}))
        _tell(check_certificate(source, certificate, format=format), json=json)
        return
    if "k" not in asked:
        msg = "k is not given; needed: the least class (-k) with the columns that others may know (--quasi), or a certificate (--certificate)"
        raise OptionError(msg)
    columns = {name: tuple(asked.get(name, ())) for name in ("quasi", "sensitive")}
    _tell(check.check(source, check.Asked(**(asked | columns)), against=against, format=format), json=json)


def _check_alone(asked: dict[str, Any]) -> None:
    """A certificate says what is asked, and nothing else does."""
    if asked:
        options = ", ".join(map(option_name, asked))
        msg = f"a certificate says what is asked of its file, and {options} is given beside it; leave one of them out"
        raise OptionError(msg)


def _tell(result: Certified | check.Checked, *, json: bool) -> None:
    sys.stdout.write(result.to_json() if json else result.to_text())
    if not result.passed:
        raise typer.Exit(1)
