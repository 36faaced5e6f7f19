"""`covey check`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from covey.checking import check
from covey.checking.certificate import Certified, check_certificate
from covey.commands.shared import names
from covey.errors import OptionError


def check_command(
    source: Annotated[
        str, typer.Argument(metavar="FILE", help="A published table: a file, - or a database URL#table.")
    ],
    k: Annotated[int | None, typer.Option("-k", help="The least class that is asked for.")] = None,
    quasi: Annotated[
        list[str] | None, typer.Option(metavar="COL,...", help="The columns that others may know.")
    ] = None,
    unit: Annotated[str | None, typer.Option(help="Count different values of this column instead of rows.")] = None,
    sensitive: Annotated[list[str] | None, typer.Option(metavar="COL,...", help="The columns to measure.")] = None,
    l_diversity: Annotated[
        float | None, typer.Option(help="The least number of different sensitive values in a class.")
    ] = None,
    entropy_l: Annotated[float | None, typer.Option(help="The least entropy l-diversity.")] = None,
    recursive: Annotated[str | None, typer.Option(metavar="C,L", help="Recursive (c, l)-diversity.")] = None,
    t_closeness: Annotated[
        float | None, typer.Option(help="The largest t (ordered distance for numbers, else equal).")
    ] = None,
    alpha: Annotated[float | None, typer.Option(help="The largest share of one sensitive value in a class.")] = None,
    beta: Annotated[float | None, typer.Option(help="The largest basic beta-likeness.")] = None,
    enhanced_beta: Annotated[float | None, typer.Option(help="The largest enhanced beta-likeness.")] = None,
    delta: Annotated[float | None, typer.Option(help="The largest delta-disclosure.")] = None,
    distance: Annotated[str, typer.Option(help="Of t-closeness: auto, ordered or equal.")] = "auto",
    against: Annotated[str | None, typer.Option(metavar="OTHER", help="Another release of the same records.")] = None,
    link: Annotated[
        list[str] | None, typer.Option(metavar="COL,...", help="Columns that link the two releases.")
    ] = None,
    format: Annotated[str | None, typer.Option(help="The format where the name does not tell.")] = None,  # noqa: A002
    certificate: Annotated[
        Path | None, typer.Option(help="The certificate of the file, in place of all that is asked.")
    ] = None,
    *,
    json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Recount any published table, or compare it with its certificate. Exit code 1 if it falls short."""
    if certificate is not None:
        _check_alone(locals())
        found: Certified | check.Checked = check_certificate(source, certificate, format=format)
        _tell(found, json=json)
        return
    if k is None:
        msg = "k is not given; needed: the least class (-k) with the columns that others may know (--quasi), or a certificate (--certificate)"
        raise OptionError(msg)
    asked = check.Asked(
        k=k,
        quasi=tuple(names(quasi)),
        unit=unit,
        sensitive=tuple(names(sensitive)),
        l_diversity=l_diversity,
        entropy_l=entropy_l,
        recursive=recursive,
        t_closeness=t_closeness,
        alpha=alpha,
        beta=beta,
        enhanced_beta=enhanced_beta,
        delta=delta,
        distance=distance,
        link=tuple(names(link)),
    )
    found = check.check(source, asked, against=against, format=format)
    _tell(found, json=json)


def _check_alone(options: dict[str, Any]) -> None:
    """A certificate says what is asked, and nothing else does."""
    beside = ("source", "certificate", "format", "json")
    given = [name for name, value in options.items() if name not in beside and value not in (None, "auto")]
    if given:
        told = ", ".join(name.replace("_", "-") for name in given)
        msg = f"a certificate says what is asked of its file, and {told} is given beside it; leave one of them out"
        raise OptionError(msg)


def _tell(found: Certified | check.Checked, *, json: bool) -> None:
    sys.stdout.write(found.to_json() if json else found.to_text())
    if not found.passed:
        raise typer.Exit(1)
