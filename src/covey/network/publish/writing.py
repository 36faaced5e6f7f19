"""Write a release of a network with its companions: all of them or none."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from covey.errors import OptionError
from covey.io.writing import Companions
from covey.ledger import enter, look_up
from covey.network.publish.drawing import draw_network
from covey.network.publish.files import Published, check_targets, write_all
from covey.network.publish.report import is_drawn, render

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from covey.network.graph import Network
    from covey.network.publish.published import PublishedNetwork
    from covey.network.publish.sample import Sample
    from covey.utils.notes import Note
    from covey.utils.seal import Seal


def write_release(
    release: PublishedNetwork,
    target: Path,
    *,
    sample: Callable[[int], Sample] | None = None,
    force: bool = False,
    format: str | None = None,  # noqa: A002
    report: str | Path | None = None,
    internal_report: str | Path | None = None,
    certificate: str | Path | None = None,
    internal: str | Path | None = None,
    original: Network | None = None,
    samples: int = 0,
    sample_seed: int = 0,
    ledger: bool = True,
    refuse_overlap: bool = False,
    progress: Callable[[str], Any] | None = None,
) -> list[Note]:
    """Write the super-graph to a graph file (.graphml, .gexf, .gml), or to tables (.csv, .tsv, .parquet, .arrow, .jsonl).

    Tables are two files: `out.csv` holds the clusters, `out-edges.csv` the pairs of linked clusters. What was written is
    read again from the files and recounted before any file gets its name.

    Parameters
    ----------
    force
        Replace what exists.
    format
        The format where the suffix does not tell.
    report, certificate
        Paths for the public report (.html, .json, .txt) and the public certificate.
    internal_report, internal
        Paths for the internal ones, not to be published; their names must say "internal".
    original
        The network that came in, which an internal HTML report draws beside the release.
    samples, sample_seed, sample
        How many sampled graphs to write beside it (`out-sample-1.graphml`, ...), from which seed on, and how to draw one.
    ledger, refuse_overlap
        Whether to look for earlier releases of the same network and to enter this one, and whether earlier ones are an error.

    Returns
    -------
    list of Note
        What the ledger says.
    """
    step = progress or (lambda _what: None)
    if samples and sample is None:
        raise OptionError("samples are given, and this release is a graph itself; leave them out")
    companions = Companions(report, internal_report, certificate, internal)
    check_targets([target, *sample_places(target, samples)], companions, format, force=force)
    networks = [Published(target, release.vertices, release.edges, release.recount, directed=release.directed)]
    if sample is not None:
        for number, place in enumerate(sample_places(target, samples)):
            step(f"drawing sample {number + 1}")
            networks.append(_drawn_sample(place, sample(sample_seed + number), f"sample {number + 1}"))

    def stage(staged: list[Any], seals: list[Seal]) -> None:
        step("reporting")
        rendered = partial(_rendered, release, original)
        companions.stage(staged, rendered, release.certificate.sealed(seals), force=force)

    trace = release.trace if ledger else None
    past = look_up(trace, refuse=refuse_overlap).warn(release.past, 4)
    step("writing")
    write_all(networks, stage, format, force=force)
    return [*past.notes, *enter(trace, past)]


def _drawn_sample(place: Path, drawn: Sample, name: str) -> Published:
    """A sampled graph as a network to be written; it promises nothing, so nothing is recounted."""
    directed = drawn.network.directed
    return Published(place, drawn.vertices, drawn.edges, lambda _vertices, _edges: None, name, directed)


def sample_places(target: Path, samples: Any) -> list[Path]:
    """Where sampled graphs go."""
    if isinstance(samples, bool) or not isinstance(samples, int) or samples < 0:
        raise OptionError("samples is no whole number of at least 0; needed: how many graphs to draw")
    return [target.with_name(f"{target.stem}-sample-{number + 1}{target.suffix}") for number in range(samples)]


def _rendered(release: PublishedNetwork, original: Network | None, path: Path, *, internal: bool) -> str:
    """The report, with drawings where its format has some, those of the original in an internal one."""
    report = release.report if internal else release.report.public()
    if is_drawn(path):
        drawings = release.draw()
        if internal and original is not None:
            drawings = {"The original network": draw_network(original)} | drawings
        report = report.with_drawings({title: drawing for title, drawing in drawings.items() if drawing})
    return render(report, path)
