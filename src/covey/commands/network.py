"""`covey network`: cluster a network, publish it as clusters, or with anonymous degrees."""

from __future__ import annotations

import json as json_format
import math
import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from covey.commands import shared
from covey.commands.network_options import Attributes, Clustering, Counting, Reading, Source
from covey.commands.network_studies import check_command, compare_command
from covey.commands.options import PanelCommand, grouped
from covey.commands.shared import Publishing, option
from covey.errors import OptionError
from covey.io.apart import check_not_source
from covey.io.writing import Companions
from covey.ledger import ReleasedBeforeWarning
from covey.network import NetworkRecipe, microaggregate, read_network_recipe
from covey.network.formats import LoadedNetwork, network_format, parts_of
from covey.network.publish.degree.release import DegreeRelease, degree_anonymous
from covey.network.publish.files import check_targets
from covey.network.publish.release import OF_TWO, NetworkRelease, SmallClustersWarning, release
from covey.network.publish.report import to_text
from covey.network.publish.writing import sample_places
from covey.recipe.choice import Panel
from covey.utils.notes import NoteKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from covey.network.methods.solution import NetworkSolution
    from covey.utils.notes import Note

app = typer.Typer(
    name="network",
    help="Networks: cluster their vertices, publish the clusters.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)

Output = Annotated[
    Path, option("A file: .graphml, .gexf, .gml; or two tables (.csv, .parquet, ...).", Panel.NEEDED, "-o", "--output")
]
Seed = Annotated[
    int | None,
    option("Decides all random choices; as secret as the original. Drawn at random by default.", Panel.PROTECTION),
]


@app.command("release", cls=PanelCommand)
@grouped
def release_command(
    context: typer.Context,
    source: Source,
    output: Output,
    clustering: Clustering,
    attributes: Attributes,
    counting: Counting,
    reading: Reading,
    publishing: Publishing,
    seed: Seed = None,
    samples: Annotated[int, typer.Option(help="How many graphs to draw from the release and write beside it.")] = 0,
    sample_seed: Annotated[int, typer.Option(help="The seed of the first graph that is drawn.")] = 0,
    recipe: Annotated[Path | None, option("A recipe file; options beside it change it.", Panel.INPUT)] = None,
) -> None:
    """Publish a network as clusters: every vertex becomes one of at least `lower`."""
    options = {**clustering.choices(), **attributes.choices(), **counting.choices(), "seed": seed}
    options |= {"header": reading.header, "directed": reading.directed}
    chosen = _with_recipe(recipe, options, context)
    drawn = sample_places(output, samples)
    _check_places(source, output, publishing, samples)
    if recipe is not None:
        check_not_source([recipe], [output, *publishing.companions.values()])
    with shared.progress() as step, warnings.catch_warnings():
        warnings.simplefilter("ignore", SmallClustersWarning)  # it is a note of the report
        warnings.simplefilter("ignore", ReleasedBeforeWarning)
        step("reading")
        loaded = reading.read(source, chosen.length, chosen)
        done = release(
            loaded,
            recipe=chosen,
            attributes=attributes.table(),
            measure=publishing.reports,
            name_vertices=clustering.name_vertices,
            progress=step,
            **publishing.past,
        )
        further = {"samples": samples, "sample_seed": sample_seed, "progress": step}
        notes = _write(done, loaded, output, publishing, **further)
    must = OF_TWO if chosen.lower == 2 else ""
    _say_done(done, notes, [output, *drawn], publishing, must=must)


@app.command("degree", cls=PanelCommand)
@grouped
def degree_command(
    source: Source,
    output: Output,
    k: Annotated[
        int, option("The least number of vertices that share their number of neighbours.", Panel.NEEDED, "-k")
    ],
    reading: Reading,
    publishing: Publishing,
    seed: Seed = None,
) -> None:
    """Publish a graph in which every number of neighbours is that of at least k vertices."""
    _check_places(source, output, publishing)
    with shared.progress() as step, warnings.catch_warnings():
        warnings.simplefilter("ignore", ReleasedBeforeWarning)
        step("reading")
        loaded = reading.read(source)
        measure = publishing.reports
        done = degree_anonymous(loaded, k, seed=seed, measure=measure, progress=step, **publishing.past)
        notes = _write(done, loaded, output, publishing, progress=step)
    must = "\n".join(note.text for note in done.report.notes if note.kind is NoteKind.EXPOSURE)
    _say_done(done, notes, [output], publishing, must=must)


app.command("check", cls=PanelCommand)(grouped(check_command))
app.command("compare", cls=PanelCommand)(grouped(compare_command))


@app.command("microaggregate", cls=PanelCommand)
@grouped
def microaggregate_command(
    source: Source,
    clustering: Clustering,
    reading: Reading,
    json: Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")] = False,
) -> None:
    """Cluster a network and print what was found. Exit code 1 if there are no clusters, or none were found."""
    if clustering.lower is None:
        raise OptionError(
            "lower is not given; needed: the least number of vertices in a cluster; add it, such as --lower 5"
        )
    with shared.progress() as step:
        step("reading")
        loaded = reading.read(source, clustering.length)
        step("clustering")
        how = {**clustering.search(), **clustering.method_options()}
        solution = microaggregate(loaded.network, progress=step, **how)
    answer = _answer(solution, name_vertices=clustering.name_vertices)
    if json:
        sys.stdout.write(json_format.dumps(answer, indent=2, ensure_ascii=False, default=str) + "\n")
    else:
        lines = [f"{name}: {value}" for name, value in answer.items() if name != "members"]
        lines += [
            f"cluster {place}: {', '.join(map(str, group))}"
            for place, group in enumerate(answer.get("members", ()), start=1)
        ]
        sys.stdout.write("\n".join(lines) + "\n")
    if solution.partition is None:
        raise typer.Exit(1)


def _with_recipe(path: Path | None, options: dict[str, Any], context: typer.Context) -> NetworkRecipe:
    """The recipe of a file with the options that were given beside it; without one all options are the recipe."""
    if path is None:
        return NetworkRecipe.from_dict(options)
    sources = {name: context.get_parameter_source(name) for name in options}
    beside = {
        name: value for name, value in options.items() if (source := sources[name]) and source.name == "COMMANDLINE"
    }
    return NetworkRecipe.from_dict(read_network_recipe(path).as_dict() | beside)


def _check_places(source: str, output: Path, publishing: Publishing, samples: int = 0) -> None:
    """An error before the work for a place that cannot be written to."""
    targets, companions = [output, *sample_places(output, samples)], Companions(**publishing.companions)
    check_not_source([source], [*targets, *companions.files])
    check_targets(targets, companions, publishing.output_format, force=publishing.force)


def _write(
    done: NetworkRelease | DegreeRelease, loaded: LoadedNetwork, output: Path, publishing: Publishing, **further: Any
) -> list[Note]:
    """Write a release and what goes with it; what the ledger says."""
    original = loaded.network if publishing.internal_report is not None else None
    how = {"force": publishing.force, "format": publishing.output_format, "original": original, **further}
    return done.write(output, **how, **publishing.companions, **publishing.past)


def _answer(solution: NetworkSolution, *, name_vertices: bool) -> dict[str, Any]:
    """What there is to say of a solution, as plain values; names of vertices only on request."""
    answer: dict[str, Any] = {"status": solution.status, "method": solution.method.name}
    if solution.partition is not None:
        sizes = solution.partition.sizes
        answer |= {"clusters": len(sizes), "smallest": int(sizes.min()), "largest": int(sizes.max())}
        answer |= {"radius": solution.radius, "total": solution.total}
    answer |= {"bound": solution.bound} if math.isfinite(solution.bound) else {}
    answer |= {"clusters_above_upper": solution.oversize} if solution.oversize else {}
    reason = solution.reason if name_vertices else solution.unnamed_reason
    answer |= {name: text for name, text in (("reason", reason), ("choice", solution.choice)) if text}
    if solution.notes:
        answer["notes"] = "; ".join(map(str, solution.notes))
    if name_vertices and solution.partition is not None:
        answer |= {"centres": ", ".join(map(str, solution.centres or ())), "members": solution.clusters()}
    return answer


def _say_done(
    done: NetworkRelease | DegreeRelease,
    notes: Sequence[Note],
    graphs: Sequence[Path],
    publishing: Publishing,
    *,
    must: str = "",
) -> None:
    """Say what the ledger says in any case, and what a release is and where; a network that is written as tables is two files."""
    for note in notes:
        shared.errors.print(f"note: {note}")
    if publishing.quiet:
        if must:
            shared.errors.print(must)
        return
    shared.errors.print(to_text(done.report, brief=True), end="")
    format_ = network_format(graphs[0], publishing.output_format, what="the output")
    places = [part for graph in graphs for part in parts_of(graph, format_)]
    places += [path for path in publishing.companions.values() if path is not None]
    shared.errors.print(f"written: {', '.join(map(str, places))}")
