"""The whole path in one call: a table, the roles of its columns and a recipe become a release."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from covey import entropy
from covey.certificate import Certificate
from covey.errors import InputError, OptionError, shown
from covey.fingerprint import Sums
from covey.frame import to_arrow
from covey.io import Loaded, read, write_release
from covey.ledger import Ledger, LedgerError, ledger_path
from covey.measures import Measuring
from covey.protect import protect
from covey.recipe import Recipe, read_recipe
from covey.recount.release import recount_release
from covey.report.collect import Report, collect

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from covey.recount.classes import Recount
    from covey.recount.readings import Units
    from covey.recount.requirements import Order

    Progress = Callable[[str], Any]


OF_TWO = "k is 2: each of two who share a group knows the other; 3 or more is usual"


class SmallGroupsWarning(UserWarning):
    """k = 2: whoever knows one of the two knows the other."""


@dataclass(frozen=True, eq=False, repr=False)
class Release:
    """A protected table, recounted, with what there is to say about it. Holds nothing of the original.

    Attributes
    ----------
    table
        Of the kind that came in.
    certificate
        What was counted.
    report
        What was done and lost; `report.public()` may be handed out.
    recipe
        Every choice, the entropy included: keep it where the original is kept.
    arrow
        The table as Arrow.
    units
        The numbers of the rows' units, by which the recount of a file counts them.
    labels, orders, fingerprint, dialect
        What formats, the recount of requirements and the ledger need.

    Examples
    --------
    >>> import covey
    >>> covey.release(covey.datasets.load_patients(), k=5, quasi=["age"], drop_rest=True)
    <Release: 3000 records, k = 5 records>
    """

    table: Any
    certificate: Certificate
    report: Report
    recipe: Recipe
    arrow: Any
    units: Units | None
    """The numbers of the rows' units, by which the recount of a file counts them."""
    labels: Mapping[str, Any] = field(default_factory=dict)
    """Labels of variables and values, for the formats that have them."""
    orders: Mapping[str, Order] = field(default_factory=dict)
    """How the sensitive columns with a requirement are judged."""
    fingerprint: Mapping[str, Any] = field(default_factory=dict)
    """The table that came in and the settings, as the ledger knows them; empty where it is switched off."""
    dialect: Mapping[str, str] = field(default_factory=dict)
    """Delimiter and decimal sign of the CSV file it came from."""

    def __repr__(self) -> str:
        what = "units" if self.recipe.roles.unit else "records"
        return f"<Release: {self.arrow.num_rows} records, k = {self.certificate.k} {what}>"

    def recount(self, table: Any) -> Recount:
        """Recount a table that claims to be this release, as read back from where it was written."""
        return recount_release(table, self.recipe, self.units, self.arrow.num_rows, self.orders)

    def write(self, target: str | Path, *, force: bool = False, **options: Any) -> list[str]:
        """Write the release to a file or database table: to a temporary one first, which is read back and recounted.

        Returns what there is to report about the format. See `covey.io.write_release` for the options.
        """
        return write_release(self, target, force=force, **options)


def release(
    table: Any,
    k: int | None = None,
    *,
    recipe: Recipe | str | Path | None = None,
    progress: Progress | None = None,
    measuring: Measuring | None = None,
    **choices: Any,
) -> Release:
    """Protect a table: every record becomes one of at least k that share their quasi-identifiers.

    Columns become comparable coordinates, a method groups the records, groups become values in the columns' own types. What is promised: k-anonymity
    for the declared columns, recounted on the released values before anything is returned.

    Parameters
    ----------
    table
        A dataframe (pandas, polars, pyarrow), or the path or URL of something `covey.io.read` can read.
    k
        At least so many records (units, where there are some) share their released values.
    recipe
        A `Recipe`, or the path of one, gives all choices at once; choices beside it change it.
    progress
        Called with what is being done.
    measuring
        What an attacker gains and an analyst loses is measured for the report (extra `report`).
    choices
        The fields of `Recipe` and of `Roles`: quasi, sensitive, drop, unit, ...

    Returns
    -------
    Release
        The released table, its certificate, its report and its recipe.

    Raises
    ------
    InputError
        A column has no role, is missing or has gaps, a stratum is below k, ...
    InfeasibleError
        Nothing meets all that was asked for.
    RefusedError
        The recount falls short.

    Examples
    --------
    >>> import covey
    >>> patients = covey.datasets.load_patients()
    >>> done = covey.release(patients, k=5, quasi=["age", "charge"], sensitive=["diagnosis"], drop_rest=True)
    >>> done.certificate.k, len(done.table)
    (5, 3000)
    """
    chosen = recipe_of(k, recipe, choices)
    check_measuring(measuring)
    step = progress or (lambda _what: None)
    step("reading")
    loaded, native = load_table(table, chosen)
    if chosen.entropy is None:
        chosen = chosen.with_changes(entropy=entropy.draw())
    roles = chosen.roles.settle(loaded.table.column_names, drop_rest=chosen.drop_rest)
    chosen, notes = with_types(chosen.with_changes(roles=roles, drop_rest=False), loaded.mixed, loaded.nominal)
    loaded.notes.extend(notes)
    came_in = loaded
    loaded = _as_written(loaded, chosen)
    facts = protect(loaded.table, chosen, step, measuring, typed=came_in.table)
    facts.notes[:0] = loaded.notes
    if chosen.k == 2:
        warnings.warn(OF_TWO, SmallGroupsWarning, stacklevel=2)
        facts.notes.append(OF_TWO)
    step("recounting")
    found = recount_release(facts.table, chosen, facts.units, facts.table.num_rows, facts.orders)
    keyed, fingerprint = _hashes(came_in, chosen)
    origin = loaded.origin | {"keyed_hash": keyed}
    certificate = Certificate.of(chosen, found, facts, origin)
    report = collect(facts, found, chosen)
    return Release(
        native(facts.table),
        certificate,
        report,
        chosen,
        facts.table,
        facts.units,
        labels=loaded.labels,
        orders=facts.orders,
        fingerprint=fingerprint,
        dialect=loaded.dialect,
    )


def check_measuring(measuring: object) -> None:
    """An error unless it says what to measure, or nothing."""
    if measuring is not None and not isinstance(measuring, Measuring):
        msg = f"measuring is {shown(measuring)}; needed: covey.Measuring() or nothing"
        raise OptionError(msg)


def _hashes(loaded: Loaded, recipe: Recipe) -> tuple[str, dict[str, Any]]:
    """The table under the secret of the release, and its quasi-identifiers and the settings under the key of the ledger."""
    table, columns = Sums(), {name: Sums() for name in recipe.roles.quasi}
    table.add(loaded.table.column(name) for name in loaded.table.column_names if name in recipe.read_columns)
    for name, sums in columns.items():
        sums.add([loaded.table.column(name)])
    return table.hash(str(recipe.entropy)), fingerprint(recipe, columns)


def fingerprint(recipe: Recipe, columns: Mapping[str, Sums]) -> dict[str, Any]:
    """The quasi-identifiers and the settings under the key of the ledger; empty where that is switched off."""
    path = ledger_path()
    try:
        key = "" if path is None else Ledger(path).key
    except LedgerError:
        return {"trouble": "yes"}
    if not key:
        return {}
    settings = {name: value for name, value in recipe.as_dict().items() if name not in ("entropy", "reasons")}
    told = entropy.keyed_hash(key, [repr(sorted(settings.items())).encode()])
    return {"columns": [sums.hash(key) for sums in columns.values()], "settings": told, "key": key}


def load_table(table: Any, recipe: Recipe) -> tuple[Loaded, Callable[[Any], Any]]:
    """The table as Arrow, and the way back to its kind."""
    if isinstance(table, str | Path):
        table = read(table)
    if isinstance(table, Loaded):
        return table, lambda released: released
    arrow, native, notes = to_arrow(table, list(recipe.roles.named()))
    return Loaded(arrow, notes, origin={"source": "a dataframe"}), native


def _as_written(loaded: Loaded, recipe: Recipe) -> Loaded:
    """Columns that are not computed with stay as they were written where their type would tell less: 250.10 is not 250.1."""
    table = loaded.table
    for name, text in loaded.texts.items():
        if name not in recipe.roles.quasi and name != recipe.roles.weight:
            table = table.set_column(table.column_names.index(name), name, text)
            if name in (*recipe.roles.keep, *recipe.roles.sensitive):
                loaded.notes.append(f"column {name!r} is published as text, as it was written")
    return replace(loaded, table=table)


def with_types(recipe: Recipe, mixed: Mapping[str, str], labelled: Sequence[str]) -> tuple[Recipe, list[str]]:
    """Columns whose values all have labels are categories; columns of numbers and text must be declared. And what to report."""
    told, notes = (*recipe.nominal, *recipe.ordinal), []
    for name, why in mixed.items():
        if name in recipe.roles.quasi and name not in told:
            msg = (
                f"the quasi-identifier {name!r} mixes types: {why}; needed: one type; correct the values, or declare it a "
                "category (nominal, --nominal)"
            )
            raise InputError(msg)
        if name in (*recipe.roles.keep, *recipe.roles.sensitive):
            notes.append(f"column {name!r} mixes types and is published as text: {why}")
    more = [name for name in labelled if name in recipe.roles.quasi and name not in told]
    return (recipe.with_changes(nominal=(*recipe.nominal, *more)) if more else recipe), notes


def recipe_of(k: int | None, recipe: Recipe | str | Path | None, choices: Mapping[str, Any]) -> Recipe:
    """The recipe, changed by choices beside it."""
    given = dict(choices) | ({} if k is None else {"k": k})
    if recipe is None:
        return Recipe.from_dict(given)
    if isinstance(recipe, str | Path):
        recipe = read_recipe(Path(recipe))
    if not isinstance(recipe, Recipe):
        msg = f"recipe is {shown(recipe)}; needed: a covey.Recipe or the path of one"
        raise OptionError(msg)
    return Recipe.from_dict(recipe.as_dict() | given) if given else recipe
