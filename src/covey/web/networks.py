"""Networks on the page: what is chosen, as a recipe, and the command that makes the same release of it."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from covey.network.formats import network_format, parts_of, read_network
from covey.network.graph_files import GRAPHS
from covey.network.publish.drawing import draw_network
from covey.network.publish.recipe import NetworkRecipe, read_network_recipe
from covey.network.publish.release import NetworkRelease, release
from covey.web.downloads import companions_in, place_of
from covey.web.private import write_private

if TYPE_CHECKING:
    from covey.utils.notes import Note
    from covey.web.source import Source
    from covey.web.worker import Tell

SUFFIXES = (*GRAPHS, ".csv", ".parquet")
"""What a network can be downloaded as."""


START = NetworkRecipe(lower=5, time_limit=20.0)
"""What is chosen for a network that was just opened."""
METHODS = {
    "auto": "The best choice for most networks: proven where that is possible in the time, carved where the network is large.",
    "carving": "Grows clusters one by one: for networks of any size, in seconds, without a proof.",
}
SMALL = {
    "error": "Nothing is released while a component, such as a vertex without edges, has fewer vertices than the smallest cluster.",
    "suppress": "Vertices of components with fewer vertices than the smallest cluster are not published.",
}
COUNTS = {
    "round": "Each count is moved to one of the two multiples of 3 around it, or of the number that a recipe gives: only a range of counts is known.",
    "suppress": "Small counts are not published, and neither are those close to all pairs; others are exact.",
    "exact": "Counts as they are: some tell that two members are certainly linked.",
}
KEPT = {
    "degrees": "How many members have how many neighbours inside their cluster, where enough members share it.",
    "triangles": "At how many triangles the members of a cluster are corners. Graphs that are drawn from the release are then nearer to the original.",
}
FURTHER = {
    "distance": "Largest distance to the centre",
    "objective": "Least possible",
    "length": "Edge attribute that holds lengths",
    "header": "First line names the columns",
    "directed": "Edges have directions",
    "follow_directions": "Distances follow directions",
    "options": "Options of the method",
    "vertex": "Column that names the vertices",
    "numeric": "Published as means",
    "ordered": "Published as medians",
    "unordered": "Published as modes",
    "base": "Counts are rounded to multiples of",
    "threshold": "Counts are left out below",
}
"""Choices of a recipe that have no place of their own on the page."""
SENTENCES = {
    "lower": "At least this many vertices in a cluster: every vertex is published as one of at least that many.",
    "upper": "At most this many: smaller clusters lose less, but may not be possible. Without it, clusters can be of any size.",
    "connected": "Then each cluster is a neighbourhood, at some cost.",
    "time_limit": "How long to look for better clusters; what was found by then is taken, and the report says what is proven.",
}


def command(source: Source, suffix: str) -> str:
    """The command that makes the same release of the same file, beside the recipe.

    >>> from covey.web.source import Source
    >>> command(Source("x", "a b.csv", "network", ".csv"), ".csv")
    "covey network release 'a b.csv' --recipe recipe-internal.toml -o release.csv"
    """
    recipe = ["--recipe", place_of("recipe", suffix)]
    return shlex.join(["covey", "network", "release", source.name, *recipe, "-o", place_of("table", suffix)])


def read_uploaded(path: Path) -> NetworkRecipe:
    """The recipe in a file that was uploaded, without its secret: a new release gets a new one."""
    return read_network_recipe(path).with_changes(seed=None)


def further(recipe: NetworkRecipe) -> list[str]:
    """What a recipe chooses that has no place of its own on the page, in sentences.

    >>> further(NetworkRecipe(lower=3, numeric=("age",), objective="sum"))
    ['Least possible: sum', 'Published as means: age']
    """
    chosen = {name: getattr(recipe, name) for name in recipe.as_dict() if name in FURTHER}
    return [f"{FURTHER[name]}: {_in_text(value)}" for name, value in chosen.items()]


def _in_text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(
            f"{name} ({', '.join(map(str, inner))})" if isinstance(inner, list | tuple) else f"{name} {inner}"
            for name, inner in value.items()
        )
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def release_network(source: Source, recipe: NetworkRecipe, folder: str, suffix: str, tell: Tell) -> dict[str, Any]:
    """Cluster and publish a network into that folder with all that goes with it; what was found, and both drawings."""
    tell("reading")
    loaded = read_network(source.path, recipe.length, header=recipe.header, directed=recipe.directed)
    done = release(loaded, recipe=recipe, measure=True, ledger=not source.is_example, progress=tell)
    target = Path(folder) / place_of("table", suffix)
    kept = not source.is_example
    notes = done.write(target, force=True, original=loaded.network, ledger=kept, progress=tell, **companions_in(folder))
    write_private(Path(folder) / place_of("recipe", suffix), done.recipe.to_toml())
    tell("drawing")
    return _in_words(done, notes) | {
        "drawings": {"original": draw_network(loaded.network), "released": next(iter(done.draw().values()))},
        "command": command(source, suffix),
        "has_edges": len(parts_of(target, network_format(target))) > 1,
    }


def _in_words(done: NetworkRelease, notes: list[Note]) -> dict[str, Any]:
    """What the page says of a release, as plain values."""
    return {
        "facts": {name: value for name, value in done.report.facts.items() if value is not None},
        "measures": [asdict(measure) for measure in done.report.measures],
        "notes": [*map(str, (*done.report.notes, *notes))],
        "promise": done.report.promise,
        "limits": done.report.limits,
    }
