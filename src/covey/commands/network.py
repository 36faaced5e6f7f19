"""`covey network`: cluster a network, publish it as clusters, or with anonymous degrees."""

from __future__ import annotations

import inspect
import json as json_format
import math
import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from covey.commands import shared
from covey.commands.shared import names, pairs, plain
from covey.errors import OptionError
from covey.io import read
from covey.io.writing import check_not_source
from covey.ledger import ReleasedBeforeWarning
from covey.network import microaggregate
from covey.network.formats import network_format, parts_of, read_network
from covey.network.publish.degree.release import degree_anonymous
from covey.network.publish.release import OF_TWO, SmallClustersWarning, release
from covey.network.publish.report import to_text
from covey.network.publish.writing import check_release_outputs, sample_places

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from covey.network.methods.solution import NetworkSolution
    from covey.utils.notes import Note

app = typer.Typer(
    name="network",
    help="Networks: cluster their vertices, publish the clusters.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)

Source = Annotated[
    str,
    typer.Argument(metavar="NETWORK", help="A file: .graphml, .gexf, .gml, or a table of edges (.csv, .parquet, ...)."),
]
Output = Annotated[
    Path, typer.Option("-o", "--output", help="A file: .graphml, .gexf, .gml; or two tables (.csv, .parquet, ...).")
]
Lower = Annotated[int, typer.Option("--lower", help="The least number of vertices in a cluster.")]
Upper = Annotated[int | None, typer.Option("--upper", help="The most vertices in a cluster.")]
Distance = Annotated[float | None, typer.Option("--distance", help="How far a vertex may be from its centre.")]
Connected = Annotated[bool, typer.Option("--connected", help="Every cluster must be connected.")]
Objective = Annotated[str, typer.Option("--objective", help="What is least: radius or sum of distances.")]
Length = Annotated[str | None, typer.Option("--length", help="The edge attribute that holds lengths; else all are 1.")]
MethodName = Annotated[str, typer.Option("--method", help="How to cluster.")]
MethodOption = Annotated[
    list[str] | None, typer.Option("--option", metavar="NAME=VALUE", help="An option of the method.")
]
TimeLimit = Annotated[
    float, typer.Option("--time-limit", help="Seconds to search; 0: the first answer; inf: no limit.")
]
Seed = Annotated[
    int | None, typer.Option("--seed", help="Decides what is random; as secret as the original. Else drawn.")
]
Format = Annotated[str | None, typer.Option("--format", help="The format of the input where its name does not tell.")]
OutputFormat = Annotated[
    str | None, typer.Option("--output-format", help="The format of the output where its name does not tell.")
]
NameVertices = Annotated[bool, typer.Option("--name-vertices", help="Messages may name vertices.")]
ReportPath = Annotated[Path | None, typer.Option("--report", help="Write the report: .html, .json or .txt.")]
InternalReport = Annotated[
    Path | None, typer.Option("--internal-report", help="Write the internal report: not to be published, and named so.")
]
CertificatePath = Annotated[Path | None, typer.Option("--certificate", help="Write the public certificate (JSON).")]
Internal = Annotated[
    Path | None, typer.Option("--internal", help="Write the internal certificate: not to be published.")
]
NoLedger = Annotated[bool, typer.Option("--no-ledger", help="Do not look for earlier releases of the same network.")]
RefuseOverlap = Annotated[
    bool, typer.Option("--refuse-overlap", help="Refuse a network that was released before, or a part of it.")
]
Force = Annotated[bool, typer.Option("--force", help="Replace files that exist.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="No summary.")]


@app.command("release")
def release_command(
    source: Source,
    output: Output,
    lower: Lower,
    upper: Upper = None,
    distance: Distance = None,
    *,
    connected: Connected = False,
    objective: Objective = "radius",
    length: Length = None,
    header: shared.Header = None,
    method: MethodName = "auto",
    option: MethodOption = None,
    time_limit: TimeLimit = 60.0,
    small_components: Annotated[
        str, typer.Option(help="Components below lower, which no cluster can hold: error, or suppress them.")
    ] = "error",
    attributes: Annotated[str | None, typer.Option(help="A table of attributes, a row a vertex.")] = None,
    vertex: Annotated[str, typer.Option(metavar="COL", help="Its column that names the vertices.")] = "vertex",
    numeric: Annotated[list[str] | None, typer.Option(metavar="ATTR,...", help="Published as means.")] = None,
    ordered: Annotated[
        list[str] | None, typer.Option(metavar="ATTR=LOW<...<HIGH", help="Published as medians.")
    ] = None,
    unordered: Annotated[list[str] | None, typer.Option(metavar="ATTR,...", help="Published as modes.")] = None,
    counts: Annotated[str, typer.Option(help="Counts of edges: round, suppress (small ones) or exact.")] = "round",
    base: Annotated[int | None, typer.Option(help="Round counts to multiples of this; 3 by default.")] = None,
    threshold: Annotated[int | None, typer.Option(help="Suppress counts below this; 3 by default.")] = None,
    seed: Seed = None,
    samples: Annotated[int, typer.Option(help="Write so many graphs drawn from the release beside it.")] = 0,
    sample_seed: Annotated[int, typer.Option(help="The seed of the first.")] = 0,
    format: Format = None,  # noqa: A002
    output_format: OutputFormat = None,
    report: ReportPath = None,
    internal_report: InternalReport = None,
    certificate: CertificatePath = None,
    internal: Internal = None,
    name_vertices: NameVertices = False,
    no_ledger: NoLedger = False,
    refuse_overlap: RefuseOverlap = False,
    force: Force = False,
    quiet: Quiet = False,
) -> None:
    """Publish a network as clusters: every vertex becomes one of at least `lower`."""
    private = (internal_report, internal)
    check_not_source([source], [output, *sample_places(Path(output), samples), report, certificate, *private])
    check_release_outputs(output, samples, (report, certificate), private, output_format, force=force)
    with shared.progress() as step:
        step("reading")
        loaded = read_network(source, length, format, header=header)
        table = None if attributes is None else read(attributes).table
        past: dict[str, Any] = {"ledger": not no_ledger, "refuse_overlap": refuse_overlap}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SmallClustersWarning)  # it is a note of the report
            warnings.simplefilter("ignore", ReleasedBeforeWarning)
            done = release(
                loaded,
                lower,
                upper,
                distance,
                connected=connected,
                objective=objective,
                method=method,
                time_limit=_limit(time_limit),
                small_components=small_components,
                attributes=table,
                vertex=vertex,
                numeric=names(numeric),
                ordered=_ordered(ordered),
                unordered=names(unordered),
                counts=counts,
                base=base,
                threshold=threshold,
                seed=seed,
                measure=report is not None or internal_report is not None,
                name_vertices=name_vertices,
                progress=step,
                options=_options(option),
                **past,
            )
            companions = {
                "report": report,
                "internal_report": internal_report,
                "certificate": certificate,
                "internal": internal,
            }
            told = done.write(
                output,
                force=force,
                format=output_format,
                original=loaded.network if internal_report is not None else None,
                samples=samples,
                sample_seed=sample_seed,
                progress=step,
                **companions,
                **past,
            )
    _tell(told)
    _summary(to_text(done.report, brief=True), quiet=quiet, must=OF_TWO if lower == 2 else "")
    graphs = [Path(output), *sample_places(Path(output), samples)]
    _written(graphs, companions.values(), output_format, quiet=quiet)


@app.command("degree")
def degree_command(
    source: Source,
    output: Output,
    k: Annotated[int, typer.Option("-k", help="The least number of vertices that share their number of neighbours.")],
    *,
    header: shared.Header = None,
    seed: Seed = None,
    format: Format = None,  # noqa: A002
    output_format: OutputFormat = None,
    report: ReportPath = None,
    internal_report: InternalReport = None,
    certificate: CertificatePath = None,
    internal: Internal = None,
    no_ledger: NoLedger = False,
    refuse_overlap: RefuseOverlap = False,
    force: Force = False,
    quiet: Quiet = False,
) -> None:
    """Publish a graph in which every number of neighbours is that of at least k vertices."""
    check_not_source([source], [output, report, certificate, internal_report, internal])
    check_release_outputs(output, 0, (report, certificate), (internal_report, internal), output_format, force=force)
    with shared.progress() as step:
        step("reading")
        loaded = read_network(source, None, format, header=header)
        measure = report is not None or internal_report is not None
        past: dict[str, Any] = {"ledger": not no_ledger, "refuse_overlap": refuse_overlap}
        companions = {
            "report": report,
            "internal_report": internal_report,
            "certificate": certificate,
            "internal": internal,
        }
        original = loaded.network if internal_report is not None else None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ReleasedBeforeWarning)
            done = degree_anonymous(loaded, k, seed=seed, measure=measure, progress=step, **past)
            options = {"force": force, "format": output_format, "original": original, "progress": step}
            told = done.write(output, **options, **companions, **past)
    _tell(told)
    _summary(to_text(done.report, brief=True), quiet=quiet)
    _written([Path(output)], companions.values(), output_format, quiet=quiet)


@app.command("microaggregate")
def microaggregate_command(
    source: Source,
    lower: Lower,
    upper: Upper = None,
    distance: Distance = None,
    *,
    connected: Connected = False,
    objective: Objective = "radius",
    length: Length = None,
    header: shared.Header = None,
    method: MethodName = "auto",
    option: MethodOption = None,
    time_limit: TimeLimit = 60.0,
    format: Format = None,  # noqa: A002
    name_vertices: NameVertices = False,
    json: Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")] = False,
) -> None:
    """Cluster a network and print what was found. Exit code 1 if there are no clusters, or none were found."""
    with shared.progress() as step:
        step("reading")
        loaded = read_network(source, length, format, header=header)
        step("clustering")
        asked: dict[str, Any] = {"connected": connected, "objective": objective, "method": method, **_options(option)}
        found = microaggregate(loaded.network, lower, upper, distance, time_limit=_limit(time_limit), **asked)
    told = _answer(found, name_vertices=name_vertices)
    if json:
        sys.stdout.write(json_format.dumps(told, indent=2, ensure_ascii=False, default=str) + "\n")
    else:
        lines = [f"{name}: {value}" for name, value in told.items() if name != "members"]
        lines += [
            f"cluster {place + 1}: {', '.join(map(str, group))}" for place, group in enumerate(told.get("members", ()))
        ]
        sys.stdout.write("\n".join(lines) + "\n")
    if found.partition is None:
        raise typer.Exit(1)


def _answer(found: NetworkSolution, *, name_vertices: bool) -> dict[str, Any]:
    """What there is to say of a solution, as plain values; names of vertices only on request."""
    told: dict[str, Any] = {"status": found.status, "method": found.method.name}
    if found.partition is not None:
        sizes = found.partition.sizes
        told |= {"clusters": len(sizes), "smallest": int(sizes.min()), "largest": int(sizes.max())}
        told |= {"radius": found.radius, "total": found.total}
    told |= {"bound": found.bound} if math.isfinite(found.bound) else {}
    told |= {"clusters_above_upper": found.oversize} if found.oversize else {}
    reason = found.reason if name_vertices else found.unnamed_reason
    told |= {name: text for name, text in (("reason", reason), ("choice", found.choice)) if text}
    if found.notes:
        told["notes"] = "; ".join(found.notes)
    if name_vertices and found.partition is not None:
        told |= {"centres": ", ".join(map(str, found.centres or ())), "members": found.clusters()}
    return told


def _limit(seconds: float) -> float | None:
    return None if seconds == math.inf else seconds


def _options(given: Sequence[str] | None) -> dict[str, Any]:
    found = {name: plain(value) for name, value in pairs(given, "option").items()}
    own = sorted(set(found) & set(inspect.signature(microaggregate).parameters))
    if own:
        msg = f"{', '.join(own)} are no options of a method; needed: their own options, or none"
        raise OptionError(msg)
    return found


def _ordered(given: Sequence[str] | None) -> dict[str, list[str]]:
    """ATTR=LOW<...<HIGH, or ATTR alone where its values are numbers."""
    alone = [text.strip() for text in given or () if "=" not in text]
    if any("<" in text for text in alone):
        msg = "--ordered needs the name of the attribute: ATTR=LOW<...<HIGH"
        raise OptionError(msg)
    told = pairs([text for text in given or () if "=" in text], "ordered", text_follows=True)
    return {name: [part.strip() for part in text.split("<")] for name, text in told.items()} | {
        name: [] for name in alone
    }


def _tell(notes: Sequence[Note]) -> None:
    """What the ledger says, also where nothing else is said."""
    for note in notes:
        shared.errors.print(note)


def _summary(text: str, *, quiet: bool, must: str = "") -> None:
    if not quiet:
        shared.errors.print(text, end="")
    elif must:
        shared.errors.print(must)


def _written(graphs: Sequence[Path], others: Iterable[Path | None], output_format: str | None, *, quiet: bool) -> None:
    """Name every file: a network that is written as tables is two."""
    if quiet:
        return
    fmt = network_format(graphs[0], output_format, what="the output")
    places = [part for graph in graphs for part in parts_of(graph, fmt)] + [path for path in others if path is not None]
    shared.errors.print(f"written: {', '.join(map(str, places))}")
