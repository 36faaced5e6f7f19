"""The 77 recipes of the contract: roles, types, missing values, strata, units, weights, coding and requirements.

Nothing in them is drawn: tables have seeds, recipes their secret. A recipe of a type or role that an engine does not take is
part of the contract, too: what is recorded then is the refusal.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

SECRET = "5eed0c0e" * 8


@dataclass(frozen=True)
class Case:
    """One recipe of the contract and the table it is for."""

    name: str
    table: str
    choices: dict[str, Any] = field(default_factory=dict)
    text: bool = False
    """Whether the table comes from a CSV file, so that its types are found."""
    pieces: bool = False
    """Whether file and Spark release it in pieces of a few rows."""
    spark: bool = False
    """Whether it is one of the dozen that every run of the tests takes to Spark."""

    @property
    def recipe(self) -> dict[str, Any]:
        """All choices; columns that are not named are dropped."""
        return {"k": 3, "drop_rest": True, "entropy": SECRET} | self.choices


def case(
    name: str, table: str, *, text: bool = False, pieces: bool = False, spark: bool = False, **choices: Any
) -> Case:
    return Case(name, table, choices, text, pieces, spark)


LEVELS = {
    "ward": {"north": "upper", "east": "upper", "south": "lower", "west": "lower"},
    "age": [[30, 40, 50, 60, 70], [50]],
}

TYPES = (
    case("one-integer", "people", quasi=["age"], spark=True),
    case("one-float", "people", quasi=["income"], k=5, pieces=True),
    case("one-decimal", "people", quasi=["rent"], k=4),
    case("one-date", "people", quasi=["born"], text=True),
    case("one-category", "people", quasi=["ward"], k=10),
    case("ties", "ties", quasi=["income", "constant"], keep=["answer"], spark=True),
    case("large-integers", "ties", quasi=["large"], keep=["answer"]),
    case("late-digits", "ties", quasi=["late", "large"], k=4),
    case("numbers", "people", quasi=["age", "income", "height", "rent"], k=5, pieces=True, spark=True),
    case("times", "people", quasi=["born", "seen", "seen_utc"], k=4),
    case("all-types", "people", quasi=["age", "income", "rent", "born", "seen", "ward", "smokes"], spark=True),
    case("all-types-text", "people", quasi=["age", "income", "rent", "born", "seen", "ward", "smokes"], text=True),
    case("dictionaries", "words", quasi=["ward", "grade", "points"], keep=["answer"]),
    case("formulas", "words", quasi=["sign", "points"], k=4, keep=["answer"], text=True),
    case("many-categories", "words", quasi=["school", "member", "points"], k=4),
    case("frequency", "words", quasi=["school", "points"], categories="frequency"),
    case("ordinal", "people", quasi=["grade", "income"], ordinal={"grade": ["low", "middle", "high"]}, spark=True),
    case("nominal", "words", quasi=["points", "member"], nominal=["points"], k=2),
    case("hierarchy", "people", quasi=["ward", "age", "cost"], hierarchy=LEVELS, spark=True),
    case("hierarchy-alone", "people", quasi=["household"], hierarchy={"household": "prefix:6,7"}, k=5, text=True),
)

ROLES = (
    case("random-ids", "people", quasi=["age", "income"], random_ids=["person"], keep=["answer"], spark=True),
    case("kept-and-sensitive", "people", quasi=["age", "rent"], sensitive=["illness"], keep=["answer", "smokes"]),
    case("accepted", "people", quasi=["age", "income"], keep=["cost"], accept=["cost"], text=True),
    case("not-accepted", "people", quasi=["age", "income"], keep=["cost"]),
    case("rows-in-order", "people", quasi=["age", "income"], random_ids=["person"], shuffle=False),
    case("no-role", "people", quasi=["age", "income"], drop_rest=False),
    case("repeated-ids", "firms", quasi=["turnover"], random_ids=["owner"]),
    case("k-of-two", "firms", quasi=["turnover", "rents"], k=2, text=True),
    case("k-of-half", "people", quasi=["age", "income"], k=110, spark=True),
    case("k-above-n", "firms", quasi=["turnover"], k=500),
)

MISSING = (
    case("missing-refused", "gaps", quasi=["age", "income"]),
    case("own-group", "gaps", quasi=["age", "income", "ward"], missing="own-group", small_strata="merge", spark=True),
    case("own-group-text", "gaps", quasi=["age", "born"], missing="own-group", small_strata="suppress", text=True),
    case("own-group-small", "gaps", quasi=["age", "income", "born", "ward"], missing="own-group", k=5),
    case("coordinate", "gaps", quasi=["age", "income", "ward"], missing="coordinate", spark=True),
    case("coordinate-penalty", "gaps", quasi=["income", "born"], missing="coordinate", penalty=0.5, k=6, pieces=True),
    case("missing-strata", "gaps", quasi=["income"], missing="own-group", strata=["region"], small_strata="merge"),
)

STRATA = (
    case("strata", "people", quasi=["age", "income"], strata=["region"], k=5, spark=True),
    case("strata-small", "firms", quasi=["turnover"], strata=["branch"], k=5),
    case("strata-merged", "firms", quasi=["turnover", "rents"], strata=["branch", "size"], k=5, small_strata="merge"),
    case("strata-suppressed", "firms", quasi=["turnover", "rents"], strata=["branch"], k=6, small_strata="suppress"),
    case("strata-left-out", "firms", quasi=["turnover", "rents"], strata=["size"], k=4, suppress="10%"),
    case("left-out", "people", quasi=["age", "income"], k=4, suppress="8%", pieces=True, spark=True),
    case("left-out-line", "people", quasi=["income"], strata=["region"], k=4, suppress="10%", pieces=True),
    case("left-out-cells", "people", quasi=["age", "income"], strata=["region"], suppress="8%", suppress_cells=True),
    case("clusters", "people", quasi=["age", "income"], strata=["region"], random_ids=["person", "region"]),
    case("strata-text", "people", quasi=["income", "ward"], strata=["region", "grade"], text=True, keep=["answer"]),
)

UNITS = (
    case("units", "people", quasi=["age", "income"], unit="household", spark=True),
    case("units-line", "firms", quasi=["turnover"], unit="owner", text=True),
    case("units-ids", "people", quasi=["ward"], unit="household", random_ids=["household"], k=2),
    case("units-strata", "firms", quasi=["turnover", "rents"], unit="owner", strata=["size"], small_strata="merge"),
    case("units-linked", "people", quasi=["age", "income"], unit="household", linked=True, pieces=True),
    case(
        "units-roles",
        "people",
        quasi=["ward", "income"],
        unit="household",
        random_ids=["household"],
        member_role="grade",
        merge_roles={"middle": "high"},
        small_units="suppress",
    ),
    case("units-left-out", "people", quasi=["age", "income"], unit="household", suppress="15%", pieces=True),
    case("units-torn", "people", quasi=["age", "income"], unit="household", linked=True, strata=["region"]),
    case(
        "units-linked-diverse",
        "people",
        quasi=["age", "income"],
        unit="household",
        random_ids=["household"],
        sensitive=["illness"],
        l_diversity=2,
        pieces=True,
        spark=True,
    ),
    case(
        "units-derived",
        "people",
        quasi=["ward", "income"],
        unit="household",
        random_ids=["household"],
        member_role="grade",
        small_units="suppress",
        derive={"size": "count", "high": "count of high", "total": "sum of income"},
    ),
    case("units-linked-dominated", "people", quasi=["age", "income"], unit="household", linked=True, p_percent=3.0),
    case("units-diverse", "people", quasi=["age", "income"], unit="household", sensitive=["illness"], l_diversity=2),
)

WEIGHTS = (
    case("weights-grouped", "people", quasi=["age", "income"], weight="weight"),
    case("weights-kept", "people", quasi=["ward"], weight="weight", weights="keep", round_weights=80),
    case("weights-left-out", "people", quasi=["age", "income"], weight="weight", suppress="5%", strata=["region"]),
    case("weights-dropped", "people", quasi=["income", "ward"], weight="weight", weights="drop", strata=["region"]),
)

CODING = (
    case("top", "firms", quasi=["turnover", "rents"], top={"turnover": "95%"}, bottom={"rents": 500}, text=True),
    case("zeros-apart", "firms", quasi=["wages", "turnover"], zeros_apart=["wages"]),
    case(
        "edits",
        "firms",
        quasi=["wages", "rents", "costs"],
        edits=["costs = wages + rents", "wages >= 0"],
    ),
    case(
        "aggregates",
        "people",
        quasi=["age", "income", "rent"],
        aggregates={"age": "median", "income": "trimmed-mean", "rent": "max"},
    ),
    case("blocks", "people", quasi=["age", "income", "rent"], blocks=[["age", "income"], ["rent"]], allow_blocks=True),
    case(
        "method", "people", quasi=["age", "income"], method="kmeans", seed=7, scale="rank", importance={"income": 2.0}
    ),
)

REQUIREMENTS = (
    case("distinct", "people", quasi=["age", "income"], sensitive=["illness"], l_diversity=3, spark=True),
    case(
        "entropy",
        "gaps",
        quasi=["age"],
        missing="coordinate",
        sensitive=["illness"],
        l_diversity=1.8,
        diversity="entropy",
    ),
    case(
        "recursive",
        "firms",
        quasi=["turnover"],
        sensitive=["verdict"],
        l_diversity=2,
        diversity="recursive",
        recursive_c=3.0,
    ),
    case("alpha", "people", quasi=["age", "income"], sensitive=["illness"], alpha="1/3"),
    case("alpha-line", "people", quasi=["income"], sensitive=["illness"], alpha=0.5),
    case("closeness", "people", quasi=["age", "income"], sensitive=["illness"], t_closeness=0.35, k=6),
    case(
        "closeness-ordered",
        "people",
        quasi=["income"],
        sensitive=["cost"],
        accept=["cost"],
        t_closeness=0.2,
        k=5,
        text=True,
    ),
    case("spread", "firms", quasi=["rents"], sensitive=["debt"], accept=["debt"], spread={"debt": 5000}, k=4),
)

CASES = {one.name: one for one in (*TYPES, *ROLES, *MISSING, *STRATA, *UNITS, *WEIGHTS, *CODING, *REQUIREMENTS)}
