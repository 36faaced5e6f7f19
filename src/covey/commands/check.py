"""`covey check`."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from covey.checking import check
from covey.checking.certificate import Certified, check_certificate
from covey.checking.special import SpecialAsked
from covey.commands.options import RecipeOptions, grouped, option_name
from covey.commands.shared import Format, Header, internal_file, option
from covey.errors import OptionError
from covey.io.staging import writing
from covey.recipe.choice import Panel
from covey.recipe.texts import names, plain
from covey.recipe.values import as_k_for, as_share

CHOICES = RecipeOptions(
    only=("k", "quasi", "sensitive", "unit", "linked", "k_for", "l_diversity", "t_closeness"),
    sentences={
        "k_for": "Ask k of every so many columns: 3=5; of all together only what -k says.",
        "k": "The least class that is asked for.",
        "quasi": "The columns that others may know.",
        "sensitive": "The columns to measure.",
        "unit": "Count different values of this column instead of rows.",
        "linked": "Count units by all of their rows: k units whose rows are all the same.",
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


@dataclass(frozen=True)
class RecordsAtRisk:
    """What may be asked of combinations of few columns that single records out."""

    suda: Annotated[
        bool, option("Which combinations of few columns single records out (SUDA).", Panel.RISK, "--suda")
    ] = False
    suda_columns: Annotated[int | None, option("The most columns of a combination.", Panel.RISK, metavar="NUMBER")] = (
        None
    )
    suda_fraction: Annotated[
        str | None, option("The share of the population in the table.", Panel.RISK, metavar="SHARE")
    ] = None
    suda_records: Annotated[
        Path | None,
        option("Write the score of each record by its row, an internal CSV file.", Panel.RISK, metavar="FILE"),
    ] = None

    def asked(self) -> SpecialAsked | None:
        """What the search is asked, where it is asked for."""
        others: dict[str, object] = {
            "--suda-columns": self.suda_columns,
            "--suda-fraction": self.suda_fraction,
            "--suda-records": self.suda_records,
        }
        given = [name for name, value in others.items() if value is not None]
        if given and not self.suda:
            raise OptionError(f"{given[0]} is given without --suda, which asks for special uniques; needed: both")
        if not self.suda:
            return None
        fraction = None if self.suda_fraction is None else as_share(plain(self.suda_fraction), "--suda-fraction")
        return SpecialAsked(self.suda_columns, fraction)


@grouped
def check_command(
    source: Annotated[
        str, typer.Argument(metavar="FILE", help="A published table: a file, - or a database URL#table.")
    ],
    choices: Annotated[dict[str, Any], CHOICES],
    limits: Limits,
    at_risk: RecordsAtRisk,
    against: Annotated[
        str | None, option("Another release of the same records.", Panel.REQUIREMENTS, metavar="OTHER")
    ] = None,
    beside: Annotated[
        str | None, option("A second table, which a key links to the first.", Panel.NEEDED, "--with", metavar="TABLE")
    ] = None,
    key: Annotated[
        str | None, option("The column of both tables that links them.", Panel.NEEDED, metavar="COL")
    ] = None,
    format: Format = None,  # noqa: A002
    header: Header = None,
    certificate: Annotated[
        Path | None, option("The certificate of the file, in place of all that is asked.", Panel.NEEDED)
    ] = None,
    *,
    json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
    force: Annotated[bool, option("Replace a file that exists.", Panel.OUTPUT, "--force")] = False,
) -> None:
    """Recount any published table, or compare it with its certificate. Exit code 1 if it falls short."""
    special = at_risk.asked()
    asked = choices | limits.chosen() | ({} if special is None else {"suda": special})
    if certificate is not None:
        others = {"against": against, "header": header, "key": key}
        _check_alone(asked | {name: value for name, value in others.items() if value is not None})
        _tell(check_certificate(source, certificate, second=beside, format=format), json=json)
        return
    asked["k_for"] = as_k_for(asked.get("k_for", {}), "k_for")
    if asked["k_for"]:
        asked.setdefault("k", 1)
    if "k" not in asked:
        msg = "k is not given; needed: the least class (-k) with the columns that others may know (--quasi), or a certificate (--certificate)"
        raise OptionError(msg)
    columns = {name: tuple(asked.get(name, ())) for name in ("quasi", "sensitive")}
    with internal_file(at_risk.suda_records, force=force) as staged:
        checked = check.check(
            source,
            check.Asked(**(asked | columns), key=key),
            against=against,
            beside=beside,
            format=format,
            header=header,
        )
        if staged is not None and checked.special is not None:
            with writing(staged.path):
                staged.temporary.write_text(checked.special.to_csv(), encoding="utf-8")
            staged.commit()
    _tell(checked, json=json)


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
