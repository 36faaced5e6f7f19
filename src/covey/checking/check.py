"""What any published table satisfies, ours or not."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from covey import privacy
from covey.checking.line import Line
from covey.checking.special import Special, SpecialAsked, check_special
from covey.errors import InputError, OptionError
from covey.io import read_published
from covey.io.inference import infer
from covey.io.location import locate
from covey.io.reading import check_text
from covey.recipe.few import check_few_of
from covey.recipe.roles import unknown_column
from covey.recipe.values import as_number
from covey.recount.classes import (
    Recount,
    classes_of,
    codes_of,
    is_missing,
    linked_classes,
    ordered_codes,
    recount,
    sorted_codes,
    tracks,
)
from covey.recount.few_columns import recount_few
from covey.recount.readings import Units, merged
from covey.recount.tables import Keyed, left_join, recount_tables
from covey.utils.arrow import Array, Column, Table, decoded, pa, pc

if TYPE_CHECKING:
    from covey.utils.typing import Codes, Flags


@dataclass(frozen=True)
class Asked:
    """What is asked of a table. What is None is measured where there is a sensitive column, and not required."""

    k: int
    quasi: tuple[str, ...]
    unit: str | None = None
    sensitive: tuple[str, ...] = ()
    l_diversity: float | Mapping[str, float] | None = None
    entropy_l: float | None = None
    recursive: str | None = None
    t_closeness: float | Mapping[str, float] | None = None
    alpha: float | None = None
    beta: float | None = None
    enhanced_beta: float | None = None
    delta: float | None = None
    distance: str = "auto"
    """Of t-closeness: ordered, equal, or auto: ordered for numbers, times and ordered categories."""
    link: tuple[str, ...] = ()
    key: str | None = None
    """The column that links the table to a second one."""
    linked: bool = False
    """Whether others see which rows are of one unit: units are then counted by all of their rows."""
    k_for: Mapping[int, int] = field(default_factory=dict)
    """The k that is asked of every so many columns."""
    suda: SpecialAsked | None = None
    """Of combinations of few columns that single records out, where they are asked for."""

    @property
    def of_sensitive_values(self) -> bool:
        """Whether something is asked of sensitive values."""
        of_classes = (self.l_diversity, self.entropy_l, self.recursive, self.t_closeness, self.alpha)
        return any(limit is not None for limit in (*of_classes, self.beta, self.enhanced_beta, self.delta))


@dataclass
class Checked:
    """All measures of a table."""

    rows: int
    classes: int
    lines: list[Line] = field(default_factory=list)
    special: Special | None = None

    @property
    def passed(self) -> bool:
        """Whether nothing that was asked fails."""
        return all(line.holds is not False for line in self.lines)

    def to_text(self) -> str:
        """One line a measure."""
        texts = [f"{self.rows} rows in {self.classes} classes"]
        for line in self.lines:
            value = f"{line.value:.6g}"
            verdict = "" if line.holds is None else f" (asked: {line.asked:g}): {'holds' if line.holds else 'FAILS'}"
            texts.append(f"{line.measure} = {value}{verdict}")
        return "\n".join(texts) + "\n"

    def to_json(self) -> str:
        """The same as JSON."""
        lines = [
            {"measure": line.measure, "value": _finite(line.value), "asked": line.asked, "holds": line.holds}
            for line in self.lines
        ]
        return (
            json.dumps({"rows": self.rows, "classes": self.classes, "passed": self.passed, "measures": lines}, indent=2)
            + "\n"
        )


def check(
    source: str,
    asked: Asked,
    *,
    against: str | None = None,
    beside: str | None = None,
    format: str | None = None,  # noqa: A002
    header: bool | None = None,
) -> Checked:
    """Recount a published table and measure its sensitive columns. A first line that may be a record is an error that asks.

    With a second table `beside` it, which a key links: who looks the same in both.
    """
    _check_asked(asked, compared=against is not None, beside=beside)
    table = read_for(source, format=format, header=header)
    if beside is not None:
        return _of_two(table, read_published(beside, header=header), asked)
    other = None if against is None else read_published(against, header=header)
    return check_table(table, asked, against=other)


def read_for(source: str, *, format: str | None = None, header: bool | None = None) -> Table:  # noqa: A002
    """A published table, to be checked."""
    if form := locate(source, format=format).format:
        check_text(form, {"header": header})
    return read_published(source, format=format, header=header)


def check_table(table: Table, asked: Asked, *, against: Table | None = None) -> Checked:
    """The same of a table in memory."""
    _check_asked(asked, compared=against is not None)
    _need(table, [*asked.quasi, *asked.sensitive, *([asked.unit] if asked.unit else [])])
    if table.num_rows == 0:
        raise InputError("the table has no rows; needed: at least one")
    classes = classes_of([table.column(name) for name in asked.quasi], table.num_rows)
    units = None if asked.unit is None else Units.of_column(table.column(asked.unit))
    seen = [classes]
    if units is not None and asked.linked:
        counted, seen = recount(tracks(classes, units.number)), [*linked_classes(classes, units.number)]
    else:
        counted = recount(classes, None if units is None else units.number)
    lines = _of_k(counted, asked, "records" if units is None else "units")
    for few, k in asked.k_for.items():
        of_few = recount_few(table, asked.quasi, few).k
        lines.append(Line(f"k of every {few} columns", of_few, k, of_few >= k))
    checked = Checked(table.num_rows, counted.classes, lines)
    if asked.suda is not None:
        checked.special = Special.of({name: codes_of(table.column(name)) for name in asked.quasi}, asked.suda)
        checked.lines += checked.special.lines(asked.suda)
    checked.lines += _of_sensitive(table, seen, units, asked)
    if against is not None:
        checked.lines += _against(table, classes, against, asked)
    return checked


def _of_k(counted: Recount, asked: Asked, who: str) -> list[Line]:
    """The k of all columns together; where none is asked of them, as a figure."""
    if asked.k == 1:
        return [Line("k", counted.k)]
    below = Line(f"{who} in classes below {asked.k}", counted.rows_below(asked.k))
    return [Line("k", counted.k, asked.k, counted.k >= asked.k), below]


def _of_sensitive(table: Table, seen: Sequence[Codes], units: Units | None, asked: Asked) -> list[Line]:
    """What the worst class shows of every sensitive column, by several ways to look at classes."""
    lines: list[Line] = []
    for name in asked.sensitive:
        column = table.column(name)
        of_classes = [_measures(name, column, some, units, asked) for some in seen]
        lines += [max(several, key=lambda line: line.badness) for several in zip(*of_classes, strict=True)]
    return lines


def _of_two(first: Table, second: Table, asked: Asked) -> Checked:
    """Two published tables: k counts whoever looks the same in both."""
    key = str(asked.key)
    for table in (first, second):
        _need(table, [key])
    keyed = Keyed.of(first, second, key)
    if not len(first) or keyed.repeated or keyed.orphans:
        raise InputError(
            f"the first table has {len(first)} rows, repeats a key in {keyed.repeated} of them, and lacks the keys of {keyed.orphans} rows of "
            "the second; needed: one row for every key"
        )
    joined, of, own = left_join(keyed)
    _need(joined, [*asked.quasi, *asked.sensitive])
    counted = recount_tables(keyed, asked.quasi)
    known = [*(joined.column(name) for name in asked.quasi), pa.chunked_array([own])]
    seen = linked_classes(classes_of(known, joined.num_rows), of)
    lines = _of_k(counted, asked, "units")
    return Checked(len(first), counted.classes, lines + _of_sensitive(joined, seen, Units(of, None), asked))


def _check_asked(asked: Asked, *, compared: bool, beside: str | None = None) -> None:
    if asked.distance not in ("auto", "ordered", "equal"):
        raise OptionError(f"--distance is given {asked.distance!r}; needed: auto, ordered or equal")
    if asked.k < 1:
        raise OptionError(f"k is {asked.k}; needed: at least 1")
    if not asked.quasi:
        raise OptionError("no quasi-identifier is given; needed: the columns that others may know (--quasi)")
    if not asked.sensitive and asked.of_sensitive_values:
        msg = "a measure of sensitive values is asked for, and no sensitive column is given; name it (--sensitive)"
        raise OptionError(msg)
    for option, idle, needed in (
        (
            "--linked",
            asked.linked and asked.unit is None,
            "without --unit; needed: the column that says whose the rows are (--unit)",
        ),
        ("--key", asked.key is not None and beside is None, "without --with; needed: the second table (--with)"),
        (
            "--with",
            beside is not None and asked.key is None,
            "without --key; needed: the column that links the tables (--key)",
        ),
        (
            "--with",
            beside is not None and asked.unit is not None,
            "beside --unit; needed: --key alone, since k counts the keys of two tables",
        ),
        (
            "--with",
            beside is not None and compared,
            "beside --against, which compares single tables; needed: one of the two",
        ),
        (
            "--with",
            beside is not None and asked.suda is not None,
            "beside --suda, which looks at a single table; needed: one of the two",
        ),
        (
            "--k-for",
            bool(asked.k_for) and (asked.unit is not None or beside is not None),
            "beside --unit or --with, and it counts records of one table; needed: one of them",
        ),
        ("--link", bool(asked.link) and not compared, "without --against; needed: another release (--against)"),
    ):
        if idle:
            raise OptionError(f"{option} is given {needed}; or leave {option} out")
    _check_limits(asked)
    check_few_of(asked.k_for, asked.quasi)


def _check_limits(asked: Asked) -> None:
    for measure in ("l_diversity", "t_closeness"):
        limits = getattr(asked, measure)
        for column, limit in limits.items() if isinstance(limits, Mapping) else [("", limits)]:
            if limit is not None:
                as_number(limit, f"{measure} of {column!r}" if column else measure, 0.0)
            if column and column not in asked.sensitive:
                msg = f"{measure} names {column!r}, which is not sensitive; name it as sensitive, too (--sensitive)"
                raise OptionError(msg)
    check_special(asked.suda, asked.quasi)


def _measures(name: str, column: Column, classes: Codes, units: Units | None, asked: Asked) -> list[Line]:
    """What the worst class shows: by the coarse reading of values and units, or as they are written, whichever is worse."""
    values, numbers = ordered_codes(column)
    if asked.distance == "ordered" and not numbers:
        values = sorted_codes(decoded(column))
    numbers = numbers if asked.distance == "auto" else asked.distance == "ordered"
    known = ~is_missing(column)
    readings = zip((merged(values, column), values), (None, None) if units is None else units.readings, strict=True)
    both = [_measured(name, classes, codes, known, beside, asked, numbers=numbers) for codes, beside in readings]
    return [max(lines, key=lambda line: line.badness) for lines in zip(*both, strict=True)]


def _measured(
    name: str, classes: Codes, values: Codes, known: Flags, units: Codes | None, asked: Asked, *, numbers: bool
) -> list[Line]:
    counts = privacy.count(classes, np.where(known, values, values.max(initial=0) + 1), units)
    several = privacy.count(
        classes[known], values[known], None if units is None else units[known]
    )  # missing ones never count
    different = privacy.least_different(classes, values, known, units)
    t = privacy.t_closeness(classes, values, known, units, ordered=numbers)
    c, least = _recursive(asked.recursive)
    return [
        _at_most(f"alpha of {name}", privacy.alpha(several) if different else 1.0, asked.alpha),
        _at_least(f"distinct l-diversity of {name}", different, _limit(asked.l_diversity, name)),
        _at_least(f"entropy l-diversity of {name}", privacy.entropy_l(several) if different else 0.0, asked.entropy_l),
        _below(
            f"recursive c of {name} (l = {least})", privacy.recursive_c(several, least) if different else math.inf, c
        ),
        _at_most(
            f"t-closeness of {name} ({'ordered' if numbers else 'equal'} distance)", t, _limit(asked.t_closeness, name)
        ),
        _at_most(f"basic beta-likeness of {name}", privacy.beta_likeness(counts), asked.beta),
        _at_most(f"enhanced beta-likeness of {name}", privacy.enhanced_beta_likeness(counts), asked.enhanced_beta),
        _below(f"delta-disclosure of {name}", privacy.delta_disclosure(counts), asked.delta),
    ]


def _against(table: Table, classes: Codes, other: Table, asked: Asked) -> list[Line]:
    """How many records the two releases single out together, linked by what both publish unchanged."""
    _need(other, [*asked.quasi, *asked.link])
    shared = [name for name in table.column_names if name in other.column_names and name not in asked.quasi]
    links = _links(table, other, asked.link or shared, chosen=bool(asked.link))
    if not links:
        msg = "the two releases share no column with the same values, so nothing links their records; name one (--link)"
        raise InputError(msg)
    codes = list(links.values())
    joint = np.unique(np.column_stack(codes), axis=0, return_inverse=True)[1].reshape(-1).astype(np.int64)
    others = classes_of([other.column(name) for name in asked.quasi], other.num_rows)
    together = privacy.singled_out_together(classes, joint[: table.num_rows], others, joint[table.num_rows :], asked.k)
    by = ", ".join(links)
    if together.not_found > 0.5 * table.num_rows:
        raise InputError(
            f"{together.not_found} of {table.num_rows} records have no counterpart by {by}, so the two are no releases of "
            "the same records, or these columns do not link them; name others (--link)"
        )
    return [
        Line(f"records singled out together (linked by {by})", together.certainly, 0, together.certainly == 0),
        Line("records possibly singled out together", together.possibly),
        Line("records not found in the other release", together.not_found),
    ]


def _links(table: Table, other: Table, names: Sequence[str], *, chosen: bool) -> dict[str, Codes]:
    """The columns that link two releases, with the numbers of their values: those that were chosen, or that have most values in both."""
    links = {}
    for name in names:
        codes = _codes_of_both(table.column(name), other.column(name))
        overlap = float(np.isin(codes[: table.num_rows], codes[table.num_rows :]).mean())
        if chosen or overlap > 0.5:  # random ids and mean weights are new in every release
            links[name] = codes
    return links


def _codes_of_both(mine: Column, other: Column) -> Codes:
    """Number the values of two columns alike, whatever formats they come from."""
    both = pa.chunked_array([_text(mine), _text(other)], type=pa.string())
    return codes_of(infer(pa.table({"values": both}), comma=False)[1][0])


def _text(column: Column) -> Array:
    """A column as text; an apostrophe before what a spreadsheet would run is ours."""
    plain = decoded(column)
    if pa.types.is_timestamp(plain.type):
        plain = plain.cast(pa.timestamp("us", plain.type.tz and "UTC"), safe=False)
    text: Array = pc.replace_substring_regex(plain.cast(pa.string()).fill_null(""), r"^'([=+\-@\t\r])", r"\1")
    return text


def _need(table: Table, names: Sequence[str]) -> None:
    for name in names:
        if name not in table.column_names:
            raise unknown_column(name, table.column_names, "the check")


def _recursive(given: str | None) -> tuple[float | None, int]:
    if given is None:
        return None, 2
    c, _, least = given.partition(",")
    try:
        limits = float(c), int(least)
    except ValueError:
        limits = 0.0, 0
    if limits[1] < 1:
        raise OptionError(f"--recursive is given {given!r}; needed: C,L, such as 2,3")
    return limits


def _limit(limits: float | Mapping[str, float] | None, name: str) -> float | None:
    """What is asked of a column, where that is one number for all or one for each."""
    return limits.get(name) if isinstance(limits, Mapping) else limits


def _at_most(measure: str, value: float, asked: float | None) -> Line:
    return Line(measure, value, asked, None if asked is None else value <= asked + 1e-12)


def _below(measure: str, value: float, asked: float | None) -> Line:
    return Line(measure, value, asked, None if asked is None else value < asked)


def _at_least(measure: str, value: float, asked: float | None) -> Line:
    holds = None if asked is None else value >= asked - 1e-12
    return Line(measure, value, asked, holds, less_is_worse=True)


def _finite(value: float) -> float | str:
    return value if math.isfinite(value) else "infinity"
