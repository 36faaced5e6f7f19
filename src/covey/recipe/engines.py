"""The engines that make a release, and what some of them cannot do: one table, from which errors and the guides are made."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from covey.core.requirement import CLOSENESS
from covey.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Callable

    from covey.recipe.recipe import Recipe

MOST_CATEGORIES = 1_000_000
"""A column with more categories would not fit the memory that the plan for a table in parts may take."""


MOST_KINDS = 1_000_000
"""More kinds of records (by stratum, pattern, sensitive values, unit and amounts) would not fit it either."""


class Engine(Enum):
    """Where a release is made: in memory, from file to file in parts, or on a Spark cluster in parts."""

    MEMORY = "memory"
    FILE = "file"
    SPARK = "spark"


IN_PARTS = (Engine.FILE, Engine.SPARK)


class Wish(NamedTuple):
    """What is asked of an engine: the choices of a recipe, and what is to be measured."""

    recipe: Recipe
    exact_measures: bool = False
    record_risk: bool = False
    domains: bool = False
    originals: bool = False
    tight_bound: bool = False
    tables: bool = False
    """Whether two tables are released that a key links."""

    @property
    def is_close(self) -> bool:
        """Whether closeness is asked for."""
        return any(requirement.kind == CLOSENESS for requirement in self.recipe.requirements)


@dataclass(frozen=True)
class Limit:
    """Something that some engines cannot do."""

    choice: str
    """What it is, in the words of the guides."""
    engines: tuple[Engine, ...]
    given: str
    why: str
    instead: str
    is_asked: Callable[[Wish], bool]
    """Whether a wish asks for it; never, where it is seen only while the table is read."""

    def message(self, given: str | None = None) -> str:
        """The text of the error: what was given, why it cannot be, what to do."""
        return f"{given or self.given}, and {self.why}; {self.instead}"


MANY_CATEGORIES = Limit(
    f"more than {MOST_CATEGORIES:,} categories of a quasi-identifier or stratum, or values of a column with t-closeness",
    IN_PARTS,
    f"a column has more than {MOST_CATEGORIES} categories",
    "a release in parts cannot hold that many at once",
    "code it more coarsely, drop it, or release the table in memory",
    lambda _wish: False,
)
MANY_KINDS = Limit(
    f"small strata that have k records but not what is required of a class, where records of more than {MOST_KINDS:,} kinds (by stratum, missing values, "
    "sensitive values, unit and amounts) are to be counted",
    IN_PARTS,
    "a stratum or a pattern of missing values holds k records but does not satisfy what is required of a class",
    f"a release in parts cannot merge or leave out small strata of more than {MOST_KINDS} kinds of records",
    "merge strata first, ask for less, or release the table in memory",
    lambda _wish: False,
)
LIMITS = (
    Limit(
        "linked tables (`--with`, `covey.release_tables`)",
        IN_PARTS,
        "two tables that a key links are given",
        "in parts, one table is read",
        "join them to one table, with a row for each of the second, or release in memory",
        lambda wish: wish.tables,
    ),
    Limit(
        "the risk of each record (`--record-risk`) of linked tables",
        (Engine.MEMORY,),
        "the risk of each record is asked for, and two tables that a key links are given",
        "it is that of all rows of a key together, which are records of both",
        "leave it out; the report has the risks of keys",
        lambda wish: wish.tables and wish.record_risk,
    ),
    Limit(
        "special uniques in the report of linked tables",
        (Engine.MEMORY,),
        "special uniques are counted of one table",
        "records of two kinds are not one another's doubles",
        "count them in each file by itself (`covey check FILE --suda`)",
        lambda _wish: False,
    ),
    Limit(
        "figures of the first of two linked tables in domains of the second (`--domains`)",
        (Engine.MEMORY,),
        "a column of the second table is named in domains",
        "who has rows of several domains belongs to no single one; they are not shown",
        "name columns of the first table, whose domains have figures of both",
        lambda _wish: False,
    ),
    Limit(
        "`blocks`",
        IN_PARTS,
        "blocks are given",
        "a release in parts groups all columns together",
        "leave them out, or release in memory",
        lambda wish: bool(wish.recipe.blocks),
    ),
    Limit(
        "`k_for`",
        IN_PARTS,
        "k_for is given",
        "a release in parts groups all columns together",
        "leave it out, or release in memory",
        lambda wish: bool(wish.recipe.k_for),
    ),
    Limit(
        "replicate weights (`replicate_weights`)",
        IN_PARTS,
        "replicate weights are given",
        "in parts, one weight is averaged",
        "leave them out, or release in memory",
        lambda wish: bool(wish.recipe.roles.replicate_weights),
    ),
    Limit(
        "`zeros_apart` beside top or bottom coding of the same column",
        IN_PARTS,
        "zeros_apart and top or bottom coding of the same column are given",
        "in parts, zeros are told apart before values are coded",
        "leave one of them out, or release in memory",
        lambda wish: not {*wish.recipe.top, *wish.recipe.bottom}.isdisjoint(wish.recipe.zeros_apart),
    ),
    Limit(
        "top or bottom coding of kept and sensitive columns at a quantile",
        IN_PARTS,
        "a quantile is given as the end of a kept or sensitive column",
        "in parts, such columns are coded before the whole is known",
        "give a value of the column, or release in memory",
        lambda wish: any(
            str(ends.get(name)).endswith("%")
            for ends in (wish.recipe.top, wish.recipe.bottom)
            for name in wish.recipe.coded_beside
        ),
    ),
    Limit(
        "`t_closeness` beside a unit",
        IN_PARTS,
        "t_closeness and a unit are given",
        "in parts, closeness is counted in records only",
        "leave one of them out, or release in memory",
        lambda wish: wish.recipe.roles.unit is not None and wish.is_close,
    ),
    Limit(
        "rows in their order (`--no-shuffle`) beside a unit",
        (Engine.FILE,),
        "shuffle is off (--no-shuffle), and a unit is given",
        "in parts, rows of units leave in random order",
        "leave shuffle on, or release in memory",
        lambda wish: wish.recipe.roles.unit is not None and not wish.recipe.shuffle,
    ),
    Limit(
        "rows in their order (`--no-shuffle`)",
        (Engine.SPARK,),
        "shuffle is off (--no-shuffle)",
        "the rows of a cluster have no order to keep",
        "leave it out",
        lambda wish: not wish.recipe.shuffle,
    ),
    Limit(
        "exact measures (`--exact-measures`)",
        IN_PARTS,
        "exact measures are asked for",
        "in parts, they are taken from rows drawn at random",
        "leave that out, or release in memory",
        lambda wish: wish.exact_measures,
    ),
    Limit(
        "the risk of each record (`--record-risk`)",
        IN_PARTS,
        "the risk of each record is asked for",
        "in parts, it is not kept",
        "leave that out, or release in memory",
        lambda wish: wish.record_risk,
    ),
    Limit(
        "figures of domains (`--domains`)",
        IN_PARTS,
        "figures of domains are asked for",
        "in parts, they are not counted",
        "leave them out, or release in memory",
        lambda wish: wish.domains,
    ),
    Limit(
        "values of the original in the internal report (`originals` of `covey.Measuring`)",
        IN_PARTS,
        "values of the original are asked for",
        "in parts, they are not kept",
        "leave that out, or release in memory",
        lambda wish: wish.originals,
    ),
    Limit(
        "seconds for a better bound on the loss (`--bound-seconds`)",
        IN_PARTS,
        "seconds for a better bound on the loss are given",
        "in parts, the bound is taken from rows drawn at random",
        "leave them out, or release in memory",
        lambda wish: wish.tight_bound,
    ),
    MANY_CATEGORIES,
    MANY_KINDS,
)


def check_engine(engine: Engine, wish: Wish) -> None:
    """An error for what an engine cannot do, before the work."""
    for limit in LIMITS:
        if engine in limit.engines and limit.is_asked(wish):
            raise OptionError(limit.message())
