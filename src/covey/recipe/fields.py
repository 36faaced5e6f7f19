"""Every choice of a release, once: its type, its default, its check, its help and its form on the command line."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

from covey.columns.aggregation import Aggregate
from covey.columns.coordinates import CATEGORIES, SCALES, Categories, Scale
from covey.columns.hierarchy.declared import Hierarchy, as_hierarchy
from covey.core.requirement import Diversity
from covey.recipe import forms, values
from covey.recipe.choice import Choice, Panel, choice
from covey.recipe.roles import Roles
from covey.recipe.texts import names, numbers, pairs
from covey.utils.arrays import as_count

if TYPE_CHECKING:
    from collections.abc import Mapping


Share: TypeAlias = float
"""A number above 0 and below 1; a fraction in text, such as "1/3", may be given for it."""
Missing = Literal["error", "own-group", "coordinate"]
SmallStrata = Literal["error", "merge", "suppress"]
SmallUnits = Literal["error", "suppress", "cut"]
WeightRule = Literal["group", "keep", "drop"]
AGGREGATES: tuple[Aggregate, ...] = get_args(Aggregate)


def _as_roles(value: object, label: str) -> Roles:
    return value if isinstance(value, Roles) else Roles(**values.as_mapping(value, label))  # type: ignore[arg-type]


def _as_it_is(value: object, _label: str) -> object:
    return value


@dataclass(frozen=True, kw_only=True)
class Fields:
    """What `Recipe` holds. A choice that is added here is an option of every command, a word of recipes and an entry of the reference."""

    k: int = field(
        metadata=Choice(
            forms.Form(lambda value, label: as_count(value, label, at_least=2), type=int),
            Panel.NEEDED,
            "The least number of records (units) that share their values.",
            "2 or more.",
            flag="-k",
        ).metadata()
    )
    roles: Roles = field(
        default_factory=Roles,
        metadata=Choice(
            forms.Form(_as_roles), Panel.ROLES, "What the columns are: `covey.Roles`.", is_option=False
        ).metadata(),
    )
    drop_rest: bool = choice(
        forms.flag(), Panel.NEEDED, "Drop columns without a role.", "Otherwise they are an error.", default=False
    )
    accept: tuple[str, ...] = choice(
        forms.columns(),
        Panel.ROLES,
        "Publish these although they may undo the grouping.",
        "Kept or sensitive columns that single records out, give a quasi-identifier away, or are free text.",
        default=(),
    )
    refuse_exposed: float = choice(
        forms.number(1e-9, 1.0),
        Panel.ROLES,
        "The share of records that kept columns may not expose.",
        "Kept and sensitive columns, one by one, in pairs and all together, are refused where they single out this share of the records "
        "or give away a quasi-identifier of this share: see `covey.columns.exposure`.",
        default=0.5,
    )
    note_exposed: float = choice(
        forms.number(1e-9, 1.0),
        Panel.ROLES,
        "The share of exposed records that the report notes.",
        "At most `refuse_exposed`.",
        default=0.1,
    )
    linked: bool | None = choice(
        forms.flag(),
        Panel.ROLES,
        "Whether others see which rows are of one unit.",
        "Then a class is a whole unit: k units have the same number of rows, all with the same released values. Published ids of the unit "
        "imply it. Where nothing is said and no ids are published, columns that tell units apart are an error.",
        default=None,
    )
    refuse_links: float = choice(
        forms.number(0.0, 1.0),
        Panel.ROLES,
        "The share of units that published columns may link.",
        "Of the units with several rows, where they are not linked: columns that are the same in all rows of a unit must not tell a larger "
        "share of them apart from all but a few others.",
        default=0.1,
    )
    unit_columns: tuple[str, ...] = choice(
        forms.columns(),
        Panel.TYPES,
        "Quasi-identifiers with one value a unit.",
        "Of linked units: several values in a unit are an error. Those that are not named are found.",
        default=(),
    )
    merge_roles: Mapping[str, str] = choice(
        forms.each("the role that {column!r} becomes", values.instance_of(str, "a role"), "ROLE=ROLE", read=str),
        Panel.TYPES,
        "Roles that become coarser ones: grandchild=other.",
        "Of `member_role`, before anything else.",
        default={},
    )
    small_units: SmallUnits = choice(  # noqa: RUF009
        forms.word(*get_args(SmallUnits)),
        Panel.PROTECTION,
        "What becomes of linked units whose composition fewer than k have.",
        'The composition is the number of rows by role, time, stratum and pattern of missing values. "suppress" leaves such units out as a '
        'whole, and at least k in all; "cut" drops rows of panels (`time`), so that they keep a pattern that at least k have.',
        default="error",
    )
    max_rows: int | None = choice(
        forms.Form(lambda value, label: as_count(value, label, at_least=1), type=int),
        Panel.PROTECTION,
        "Leave linked units of more rows out.",
        default=None,
    )
    derive: Mapping[str, str] = choice(
        forms.each("the derived column {column!r}", values.as_derived, "COL=FORMULA", read=str, text_follows=True),
        Panel.TYPES,
        "Columns of linked units, from released rows: size=count.",
        "Recomputed from what is released of the rows of a unit: count, count of ROLE, and sum, mean, min or max of COLUMN, which may go on "
        "with of ROLE. A column of that name in the table is replaced.",
        default={},
    )
    nominal: tuple[str, ...] = choice(forms.columns(), Panel.TYPES, "Treat as unordered categories.", default=())
    ordinal: Mapping[str, tuple[str, ...]] = choice(
        forms.each("the order of {column}", values.as_names, "COL=LOW<...<HIGH", read=lambda text: text.split("<")),
        Panel.TYPES,
        "Treat as ordered categories.",
        "Column to its categories, lowest first.",
        default={},
    )
    hierarchy: Mapping[str, Hierarchy] = choice(
        forms.each("the hierarchy of {column!r}", as_hierarchy, "COL=FILE", read=str, text_follows=True),
        Panel.TYPES,
        "What values are parts of: a file of levels, prefix or cuts.",
        "Column to the path of a file with a line value;label;label for each value (the lowest label first), a mapping or a dataframe of "
        'these, "prefix" for codes (or "prefix:2,3": after how many characters), or levels of cuts of numbers, the finest first: '
        '[[20, 40, 60], [40]] or "cuts:20,40,60;40". Groups publish the lowest label above all of their values: see `aggregates`.',
        default={},
    )
    number: tuple[str, ...] = choice(
        forms.columns(),
        Panel.TYPES,
        "Numbers, though they look like codes.",
        "Columns that look like codes are otherwise an error that asks.",
        default=(),
    )
    missing_codes: Mapping[str, tuple[str, ...]] = choice(
        forms.each("the missing codes of {column!r}", values.as_codes, "COL=CODE,...", read=lambda text: names([text])),
        Panel.TYPES,
        "Values that stand for a missing one, such as 99 or a point: 99,.",
        'Column to such values, as ["99", "."]: they are missing before anything else.',
        old=("missing-code",),
        default={},
    )
    dates: Mapping[str, str] = choice(
        forms.each("the dates of {column!r}", values.as_date_form, "COL=FORM", read=str),
        Panel.TYPES,
        "How dates are written: dd/mm/yyyy, mm-dd-yyyy, ...",
        "Column to the form in which its dates are written.",
        old=("date",),
        default={},
    )
    missing: Missing = choice(  # noqa: RUF009
        forms.word(*get_args(Missing)),
        Panel.PROTECTION,
        "What becomes of missing values of quasi-identifiers.",
        '"own-group" groups records that lack the same columns among themselves; "coordinate" places them `penalty` beyond the median, '
        "and releases the group's value for all.",
        default="error",
    )
    penalty: float = choice(
        forms.number(0.0), Panel.PROTECTION, "How far beyond the median a missing value lies.", default=2.0
    )
    small_strata: SmallStrata = choice(  # noqa: RUF009
        forms.word(*get_args(SmallStrata)),
        Panel.PROTECTION,
        "What becomes of strata with fewer than k records.",
        'Also of patterns of missing values with fewer than k. "merge" joins them with the nearest, "suppress" leaves their records out.',
        default="error",
    )
    suppress: int | str | None = choice(
        forms.Form(values.as_budget, "NUMBER or PERCENT%"),
        Panel.PROTECTION,
        "Leave out the records that cost most: at most 1%, or at most a number.",
        "At most that number of records (units), or that share: those without which the others lose least. None or at least k leave each "
        "stratum. Who leaves is decided by quasi-identifiers alone.",
        default=None,
    )
    suppress_cells: bool = choice(
        forms.flag(),
        Panel.PROTECTION,
        "Publish the records that cost most, but without their quasi-identifiers.",
        "Those that `suppress` would leave out: at least k of a stratum, one class with nothing but missing values.",
        default=False,
    )
    scale: Scale = choice(  # noqa: RUF009
        forms.word(*SCALES),
        Panel.PROTECTION,
        "How columns become comparable.",
        "See `covey.columns.coordinates`.",
        default="zscore",
    )
    categories: Categories = choice(  # noqa: RUF009
        forms.word(*CATEGORIES),
        Panel.PROTECTION,
        "Distances of categories.",
        "Two are equal or not, or differ by how frequent they are.",
        default="match",
    )
    importance: Mapping[str, float] = choice(
        forms.each(
            "the importance of {column!r}", lambda value, label: values.as_number(value, label, 1e-9), "COL=NUMBER"
        ),
        Panel.PROTECTION,
        "How much a column counts; 1 by default.",
        "2 doubles its squared differences.",
        default={},
    )
    method: str = choice(
        forms.Form(values.as_method),
        Panel.PROTECTION,
        "How to group, by a method that covey methods lists.",
        "A name that `covey.partition` knows.",
        default="auto",
    )
    options: Mapping[str, Any] = choice(
        replace(forms.each("the option {column}", _as_it_is, "NAME=VALUE"), check=values.as_options),
        Panel.PROTECTION,
        "An option of the method.",
        "Its name to its value.",
        old=("option",),
        default={},
    )
    seed: int | None = choice(
        forms.Form(values.as_seed, type=int),
        Panel.PROTECTION,
        "The seed of a method that makes random choices.",
        default=None,
    )
    aggregates: Mapping[str, Aggregate] = choice(
        forms.each(
            "the aggregate of {column!r}",
            lambda value, label: values.as_word(value, label, AGGREGATES),
            "COL=NAME",
            read=str,
        ),
        Panel.PROTECTION,
        f"What a group publishes: {', '.join(AGGREGATES)}.",
        old=("aggregate",),
        default={},
    )
    trim: float = choice(
        forms.number(0.0, 0.49), Panel.PROTECTION, "The share a trimmed mean cuts at either end.", default=0.1
    )
    decimals: Mapping[str, int] = choice(
        forms.each("the decimals of {column!r}", values.as_decimals, "COL=NUMBER"),
        Panel.PROTECTION,
        "With how many decimals means are released.",
        "By default as many as at least k records use.",
        default={},
    )
    weights: WeightRule = choice(  # noqa: RUF009
        forms.word(*get_args(WeightRule)),
        Panel.PROTECTION,
        "What becomes of the weight.",
        '"group" publishes the group\'s mean weight, so that weighted totals stay; "keep" publishes it as it is, rounded to multiples '
        'of `round_weights`; "drop" does not publish it.',
        default="group",
    )
    round_weights: float | None = choice(
        forms.number(1e-12), Panel.PROTECTION, "Round kept weights to multiples of this.", default=None
    )
    top: Mapping[str, Any] = choice(
        forms.each("the top of {column!r}", _as_it_is),
        Panel.PROTECTION,
        "The largest value told apart, or a quantile: 99%.",
        "Larger ones are moved there before grouping; of kept and sensitive columns, too.",
        default={},
    )
    bottom: Mapping[str, Any] = choice(
        forms.each("the bottom of {column!r}", _as_it_is),
        Panel.PROTECTION,
        "The smallest value told apart, or a quantile: 1%.",
        "Smaller ones are moved there before grouping; of kept and sensitive columns, too.",
        default={},
    )
    grid: Mapping[str, float] = choice(
        forms.each("the grid of {column!r}", lambda value, label: values.as_number(value, label, 1e-9), "COL=STEP"),
        Panel.PROTECTION,
        "Round numbers to multiples of STEP, such as degrees.",
        "Before grouping, and after it again. Columns that hold coordinates of places (found by their names and ranges) are released on a "
        "grid only.",
        default={},
    )
    zeros_apart: tuple[str, ...] = choice(
        forms.columns(), Panel.PROTECTION, "Group zeros among themselves.", "So a zero stays a zero.", default=()
    )
    edits: tuple[str, ...] = choice(
        forms.Form(values.as_rules, "RULE", repeats=True),
        Panel.PROTECTION,
        "'income >= 0', 'total = a + b' or 'start <= end'.",
        "Rules, which hold after rounding: of linked units with member roles also 'age of child < age of head'.",
        old=("edit",),
        default=(),
    )
    blocks: tuple[tuple[str, ...], ...] = choice(
        forms.Form(values.as_blocks, "COL,...", repeats=True, read=lambda texts, _: [names([text]) for text in texts]),
        Panel.PROTECTION,
        "Columns to group by themselves.",
        "Jointly they reach a lower k, which must be allowed if it is below k.",
        old=("block",),
        default=(),
    )
    allow_blocks: bool = choice(forms.flag(), Panel.PROTECTION, "Allow blocks to be below k jointly.", default=False)
    k_for: Mapping[int, int] = choice(
        forms.Form(values.as_k_for, "COLUMNS=K", repeats=True, read=lambda texts, option: dict(pairs(texts, option))),
        Panel.PROTECTION,
        "Ask k of every so many columns, not of all together: 3=5.",
        "One number of quasi-identifiers and the k of every so many of them, for an attacker who knows no more than that of a person. All "
        "together may then be shared by fewer, down to 1. Each quasi-identifier needs a hierarchy, whose labels are published.",
        default={},
    )
    p_percent: float | Mapping[str, float] | None = choice(
        forms.for_all_or_each(lambda value, label: float(values.as_number(value, label, 0.0)), "P or COL=P"),
        Panel.REQUIREMENTS,
        "No mean tells the largest amount within P % (p % rule).",
        "The others but the largest two contribute at least P % of the largest: one P for all amounts that are released as means, or a "
        "mapping from column to it. Where nothing is asked, groups that fail at 10 % are counted.",
        default=None,
    )
    dominance: tuple[int, float] | Mapping[str, tuple[int, float]] | None = choice(
        forms.for_all_or_each(values.as_dominance, "N,PERCENT or COL=N,PERCENT", read=numbers),
        Panel.REQUIREMENTS,
        "The largest N make at most PERCENT % of a mean.",
        "A pair for all amounts that are released as means, or a mapping from column to it. Where nothing is asked, groups that fail at "
        "(1, 80) are counted.",
        default=None,
    )
    refuse_own_values: bool = choice(
        forms.flag(),
        Panel.REQUIREMENTS,
        "Refuse values that are one member's own.",
        "Otherwise they are counted.",
        default=False,
    )
    l_diversity: float | Mapping[str, float] | None = choice(
        forms.for_all_or_each(lambda value, _: values.unboxed(value), "L or COL=L"),
        Panel.REQUIREMENTS,
        "Every class has at least this many different values of the sensitive columns.",
        "A number for all of them, or a mapping from column to number. A missing value never counts.",
        default=None,
    )
    diversity: Diversity = choice(  # noqa: RUF009
        forms.word(*get_args(Diversity)),
        Panel.REQUIREMENTS,
        "Of l-diversity.",
        '"distinct": that many different values; "entropy": an entropy of at least log l; "recursive": the most frequent value occurs '
        "less than `recursive_c` times as often as all but the l - 1 most frequent together.",
        default="distinct",
    )
    recursive_c: float | None = choice(
        forms.number(1e-9), Panel.REQUIREMENTS, "The c of recursive (c, l)-diversity.", default=None
    )
    alpha: Share | Mapping[str, Share] | None = choice(  # noqa: RUF009
        forms.for_all_or_each(values.as_share, "SHARE or COL=SHARE"),
        Panel.REQUIREMENTS,
        "No value of the sensitive columns has a larger share of a class.",
        "Of its records, or units, whose value is known: (alpha, k)-anonymity; 1/l is l-diversity by frequency. A share for all sensitive "
        "columns, or a mapping from column to share.",
        default=None,
    )
    t_closeness: float | Mapping[str, float] | None = choice(
        forms.for_all_or_each(lambda value, label: values.as_number(value, label, 0.0, 1.0), "T or COL=T"),
        Panel.REQUIREMENTS,
        "How far the sensitive values of a class may be from those of the whole table.",
        "The distribution of a class is within t of that of the release: by the earth mover's distance for numbers, dates and ordered "
        "categories (one step between neighbouring values), by the variational distance for others.",
        default=None,
    )
    spread: Mapping[str, float] = choice(
        forms.each(
            "the spread of {column!r}", lambda value, label: values.as_number(value, label, 1e-300), "COL=NUMBER"
        ),
        Panel.REQUIREMENTS,
        "Sensitive numbers of every class are spread over at least this much.",
        "Column to the least difference between the largest and the smallest of a class.",
        default={},
    )
    reasons: Mapping[str, str] = choice(
        forms.each(
            "the reason for the role of {column!r}",
            values.instance_of(str, "a sentence"),
            "COL=TEXT",
            read=str,
            text_follows=True,
        ),
        Panel.ROLES,
        "Why a column has its role, for the report.",
        "A sentence for its page on the method.",
        old=("reason",),
        default={},
    )
    title: str | None = choice(
        forms.Form(values.instance_of(str, "a text"), "TEXT"),
        Panel.OUTPUT,
        "What the data are, for the head of the reports.",
        default=None,
    )
    publisher: str | None = choice(
        forms.Form(values.instance_of(str, "a text"), "TEXT"),
        Panel.OUTPUT,
        "Who publishes them, for the head of the reports.",
        default=None,
    )
    shuffle: bool = choice(
        forms.flag(), Panel.OUTPUT, "Whether rows leave in random order.", old=("keep-order",), default=True
    )
    entropy: str | None = field(
        default=None,
        repr=False,
        metadata=Choice(
            forms.Form(values.as_entropy),
            Panel.OUTPUT,
            "The secret that decides the order of rows and random ids.",
            "Drawn from the operating system unless it is given; never part of anything public.",
            is_option=False,
        ).metadata(),
    )
