"""Networks on the page: what is chosen, and the command that makes the same release."""

from __future__ import annotations

import shlex
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from covey.network.formats import network_format, parts_of, read_network
from covey.network.graph_files import GRAPHS
from covey.network.publish.drawing import draw_network
from covey.network.publish.release import NetworkRelease, release
from covey.web.downloads import companions_in, place_of
from covey.web.private import write_private

if TYPE_CHECKING:
    from covey.utils.notes import Note
    from covey.web.source import Source
    from covey.web.worker import Tell

SUFFIXES = (*GRAPHS, ".csv", ".parquet")
"""What a network can be downloaded as."""


@dataclass(frozen=True)
class NetworkSettings:
    """What is chosen for a network."""

    lower: int = 5
    upper: int | None = None
    connected: bool = False
    seconds: float = 20.0
    method: str = "auto"
    small_components: str = "error"


METHODS = {
    "auto": "The best choice for most networks: proven where that is possible in the time, carved where the network is large.",
    "carving": "Grows clusters one by one: for networks of any size, in seconds, without a proof.",
}
SMALL = {
    "error": "Nothing is released while a component, such as a vertex without edges, has fewer vertices than the smallest cluster.",
    "suppress": "Vertices of components with fewer vertices than the smallest cluster are not published.",
}
SENTENCES = {
    "lower": "At least this many vertices in a cluster: every vertex is published as one of so many.",
    "upper": "At most this many: smaller clusters lose less, and may not exist. Without it, clusters may be larger.",
    "connected": "Then each cluster is a neighbourhood, at some cost.",
    "seconds": "How long to look for better clusters; what was found by then is taken, and the report says what is proven.",
}


def command(source: Source, settings: NetworkSettings, seed: int, suffix: str) -> str:
    """The command that makes the same release of the same file.

    >>> from covey.web.source import Source
    >>> command(Source("x", "a b.csv", "network", ".csv"), NetworkSettings(3), 7, ".csv")
    "covey network release 'a b.csv' -o release.csv --lower 3 --time-limit 20 --seed 7"
    """
    words = ["covey", "network", "release", source.name, "-o", place_of("table", suffix)]
    words += ["--lower", str(settings.lower)]
    words += ["--upper", str(settings.upper)] if settings.upper is not None else []
    words += ["--connected"] if settings.connected else []
    words += ["--method", settings.method] if settings.method != "auto" else []
    words += ["--small-components", "suppress"] if settings.small_components == "suppress" else []
    return shlex.join([*words, "--time-limit", f"{settings.seconds:g}", "--seed", str(seed)])


def release_network(source: Source, settings: NetworkSettings, folder: str, suffix: str, tell: Tell) -> dict[str, Any]:
    """Cluster and publish a network into that folder with all that goes with it; what was found, and both drawings."""
    tell("reading")
    loaded = read_network(source.path)
    done = release(
        loaded,
        settings.lower,
        settings.upper,
        connected=settings.connected,
        method=settings.method,
        time_limit=settings.seconds,
        small_components=settings.small_components,
        measure=True,
        ledger=not source.is_example,
        progress=tell,
    )
    target = Path(folder) / place_of("table", suffix)
    kept = not source.is_example
    notes = done.write(target, force=True, original=loaded.network, ledger=kept, progress=tell, **companions_in(folder))
    text = command(source, settings, int(done.certificate.internal["seed"]), suffix)
    write_private(Path(folder) / place_of("command", suffix), text + "\n")
    tell("drawing")
    return _in_words(done, notes) | {
        "drawings": {"original": draw_network(loaded.network), "released": next(iter(done.draw().values()))},
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
