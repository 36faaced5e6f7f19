"""Groups of options of `covey network`: how a network is read and clustered, and what is published of it."""

from __future__ import annotations

import inspect
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from covey.commands import shared
from covey.commands.options import say_renamed
from covey.errors import OptionError
from covey.io import read
from covey.network import microaggregate
from covey.network.formats import LoadedNetwork, read_network
from covey.recipe.choice import Panel
from covey.recipe.texts import names, pairs, plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from covey.network.publish.recipe import NetworkRecipe
    from covey.utils.arrow import Table


Source = Annotated[
    str,
    typer.Argument(
        metavar="NETWORK",
        help="A file: .graphml, .gml, .net, ..., a list of edges, or a table of them (.csv, .parquet, ...).",
    ),
]


@dataclass(frozen=True)
class Reading:
    """How a network is read."""

    format: shared.Format = None
    header: shared.Header = None
    directed: Annotated[
        bool | None,
        typer.Option(
            "--directed/--undirected",
            help="Whether edges have directions; by default as the file says, and tables and lists have none.",
            rich_help_panel=Panel.INPUT,
        ),
    ] = None

    def read(self, source: str, length: str | None = None, recipe: NetworkRecipe | None = None) -> LoadedNetwork:
        """Read it; what a recipe says of it goes before."""
        header, directed = (None, None) if recipe is None else (recipe.header, recipe.directed)
        header, directed = self.header if header is None else header, self.directed if directed is None else directed
        return read_network(source, length, self.format, header=header, directed=directed)


@dataclass(frozen=True)
class Clustering:
    """What clusters are asked for, and how they are looked for."""

    lower: Annotated[
        int | None, typer.Option(help="The least number of vertices in a cluster.", rich_help_panel=Panel.NEEDED)
    ] = None
    upper: Annotated[int | None, typer.Option(help="The most vertices in a cluster.")] = None
    distance: Annotated[float | None, typer.Option(help="How far a vertex may be from its centre.")] = None
    connected: Annotated[bool, typer.Option("--connected", help="Every cluster must be connected.")] = False
    objective: Annotated[str, typer.Option(help="What to make as small as possible: radius or sum of distances.")] = (
        "radius"
    )
    length: Annotated[
        str | None, typer.Option(help="The edge attribute that holds lengths; without it, all lengths are 1.")
    ] = None
    follow_directions: Annotated[
        bool,
        typer.Option(
            "--follow-directions", help="Follow directions: the distance is the longer of the ways there and back."
        ),
    ] = False
    method: Annotated[str, typer.Option(help="How to cluster.")] = "auto"
    options: Annotated[list[str] | None, typer.Option(metavar="NAME=VALUE", help="An option of the method.")] = None
    option: Annotated[list[str] | None, typer.Option(hidden=True)] = None
    """An earlier name of `options`."""
    time_limit: Annotated[float, typer.Option(help="Seconds to search; 0: the first answer; inf: no limit.")] = 60.0
    name_vertices: Annotated[bool, typer.Option("--name-vertices", help="Messages may name vertices.")] = False

    def search(self) -> dict[str, Any]:
        """What is looked for and how, but for the options of the method."""
        limit = None if self.time_limit == math.inf else self.time_limit
        named = ("lower", "upper", "distance", "connected", "objective", "follow_directions", "method")
        return {name: getattr(self, name) for name in named} | {"time_limit": limit}

    def choices(self) -> dict[str, Any]:
        """All of them, as a recipe calls them."""
        return {**self.search(), "length": self.length, "options": self.method_options()}

    def method_options(self) -> dict[str, Any]:
        """The options of the method."""
        if self.option:
            say_renamed("option", "options")
        texts = [*(self.options or ()), *(self.option or ())]
        options = {name: plain(value) for name, value in pairs(texts, "options").items()}
        own = sorted(set(options) & set(inspect.signature(microaggregate).parameters))
        if own:
            raise OptionError(
                f"--options names {', '.join(own)}, which belong to the command and not to a method; needed: only options of the method"
            )
        return options


@dataclass(frozen=True)
class Grid:
    """Which clusters are compared."""

    lower: Annotated[
        list[str] | None, typer.Option(metavar="N,...", help="Least sizes of clusters; 3,5,10 by default.")
    ] = None
    methods: Annotated[list[str] | None, typer.Option(metavar="METHOD,...", help="Methods; auto by default.")] = None
    connected: Annotated[
        bool | None,
        typer.Option(
            "--connected/--not-connected",
            help="Only connected clusters, or only clusters that need not be; both by default.",
        ),
    ] = None
    objective: Annotated[str, typer.Option(help="What to make as small as possible: radius or sum of distances.")] = (
        "radius"
    )
    length: Annotated[
        str | None, typer.Option(help="The edge attribute that holds lengths; without it, all lengths are 1.")
    ] = None
    time_limit: Annotated[float, typer.Option(help="Seconds to search for each; inf: no limit.")] = 60.0
    small_components: Annotated[str, typer.Option(help="Components below lower: error, or suppress them.")] = "error"
    samples: Annotated[int, typer.Option(help="How many graphs to draw from each release.")] = 3
    seed: Annotated[int, typer.Option(help="Decides what is drawn.")] = 0

    def settings(self) -> dict[str, Any]:
        """As `covey.network.compare` takes them."""
        return {
            "lower": [plain(text) for text in names(self.lower)] or [3, 5, 10],
            "methods": names(self.methods) or ["auto"],
            "connected": [False, True] if self.connected is None else [self.connected],
            "objective": self.objective,
            "time_limit": None if self.time_limit == math.inf else self.time_limit,
            "small_components": self.small_components,
            "samples": self.samples,
            "seed": self.seed,
        }


@dataclass(frozen=True)
class Attributes:
    """What is published of the vertices of a cluster."""

    attributes: Annotated[str | None, typer.Option(help="A table of attributes, a row a vertex.")] = None
    vertex: Annotated[str, typer.Option(metavar="COL", help="Its column that names the vertices.")] = "vertex"
    numeric: Annotated[list[str] | None, typer.Option(metavar="ATTR,...", help="Published as means.")] = None
    ordered: Annotated[list[str] | None, typer.Option(metavar="ATTR=LOW<...<HIGH", help="Published as medians.")] = None
    unordered: Annotated[list[str] | None, typer.Option(metavar="ATTR,...", help="Published as modes.")] = None

    def table(self) -> Table | None:
        """The table of attributes, if one is given."""
        return None if self.attributes is None else read(self.attributes).table

    def choices(self) -> dict[str, Any]:
        """All but the table, as a recipe calls them."""
        return {
            "vertex": self.vertex,
            "numeric": names(self.numeric),
            "ordered": _ordered(self.ordered),
            "unordered": names(self.unordered),
        }


@dataclass(frozen=True)
class Counting:
    """What is published of the edges, and what becomes of vertices that no cluster can hold."""

    small_components: Annotated[
        str, typer.Option(help="Components below lower, which no cluster can hold: error, or suppress them.")
    ] = "error"
    counts: Annotated[str, typer.Option(help="Counts of edges: round, suppress (small ones) or exact.")] = "round"
    base: Annotated[int | None, typer.Option(help="Round counts to multiples of this; 3 by default.")] = None
    threshold: Annotated[int | None, typer.Option(help="Suppress counts below this; 3 by default.")] = None
    keep: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME,...", help="What to publish of each cluster for better samples: degrees, triangles."
        ),
    ] = None

    def choices(self) -> dict[str, Any]:
        """All of them, as a recipe calls them."""
        return {**vars(self), "keep": names(self.keep)}


def _ordered(texts: Sequence[str] | None) -> dict[str, list[str]]:
    """ATTR=LOW<...<HIGH, or ATTR alone where its values are numbers."""
    alone = [text.strip() for text in texts or () if "=" not in text]
    if any("<" in text for text in alone):
        raise OptionError("--ordered needs the name of the attribute: ATTR=LOW<...<HIGH")
    orders = pairs([text for text in texts or () if "=" in text], "ordered", text_follows=True)
    split = {name: [part.strip() for part in text.split("<")] for name, text in orders.items()}
    return split | {name: [] for name in alone}
