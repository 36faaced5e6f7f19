"""`covey recipe`."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from covey.commands.shared import Names, names
from covey.io import read
from covey.recipe import Recipe
from covey.roles import unknown_column


def recipe_command(
    source: Annotated[str, typer.Argument(metavar="TABLE", help="A file, - for standard input, or a database URL.")],
    k: Annotated[int, typer.Option("-k", help="The least number of records in a group.")] = 5,
    quasi: Names = None,
    sensitive: Names = None,
    drop: Names = None,
    random_ids: Names = None,
    unit: Annotated[str | None, typer.Option(metavar="COL")] = None,
    stratum: Names = None,
    weight: Annotated[str | None, typer.Option(metavar="COL")] = None,
    keep: Names = None,
    *,
    drop_rest: Annotated[bool, typer.Option("--drop-rest", help="Drop columns without a role.")] = False,
    query: Annotated[str | None, typer.Option(help="A query to read from the database.")] = None,
    format: Annotated[str | None, typer.Option(help="The format where the name does not tell.")] = None,  # noqa: A002
) -> None:
    """Print a recipe to start from: the columns of the table, their types, and the roles that were given."""
    loaded = read(source, query=query, format=format)
    lists = {
        "quasi": quasi,
        "sensitive": sensitive,
        "drop": drop,
        "random_ids": random_ids,
        "strata": stratum,
        "keep": keep,
    }
    given = {role: names(columns) for role, columns in lists.items()} | {"unit": unit, "weight": weight}
    chosen = Recipe.from_dict({"k": k, "drop_rest": drop_rest} | given)
    columns = loaded.table.column_names
    for name, roles in chosen.roles.named().items():
        if name not in columns:
            raise unknown_column(name, columns, roles[0])
    lines = [f"# {name}: {loaded.table.schema.field(name).type}" for name in columns]
    rest = [name for name in columns if name not in chosen.roles.named()]
    if rest and not drop_rest:
        lines.append(f"# without a role yet: {', '.join(rest)}")
    sys.stdout.write("\n".join([*lines, "", chosen.to_toml()]))
