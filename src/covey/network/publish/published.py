"""`PublishedNetwork`: what both kinds of releases of a network are: tables, a certificate, a report, and files."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.errors import OptionError, shown
from covey.network.formats import to_networkx
from covey.network.publish.writing import write_release
from covey.utils import randomness

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import networkx as nx

    from covey.ledger import Past, Trace
    from covey.network.publish.certificate import NetworkCertificate
    from covey.network.publish.report import NetworkReport
    from covey.utils.arrow import Table
    from covey.utils.notes import Note

    Columns = Mapping[str, Sequence[Any]]


@dataclass(frozen=True, eq=False, repr=False)
class PublishedNetwork(ABC):
    """A published network, recounted, with what there is to say about it. Holds nothing of the original."""

    vertices: Table
    edges: Table
    certificate: NetworkCertificate
    report: NetworkReport
    trace: Trace | None
    """The network that came in and the settings, as the ledger knows them; None where it is switched off."""
    past: Past
    """What the ledger says of earlier releases of the same network."""

    @property
    def directed(self) -> bool:
        """Whether the edges that are published have directions."""
        return bool(self.certificate.public.get("directed"))

    @abstractmethod
    def recount(self, vertices: Columns, edges: Columns) -> object:
        """Recount columns that claim to be this release, as read back from where they were written; refuse them if they fall short."""

    @abstractmethod
    def draw(self) -> dict[str, str]:
        """Drawings of what is published: title to SVG."""

    def to_networkx(self) -> nx.Graph[Any]:
        """What is published as a `networkx.Graph`, or `DiGraph`."""
        return to_networkx(self.vertices, self.edges, directed=self.directed)

    def write(self, target: str | Path, **options: Any) -> list[Note]:
        """Write it to a file by its suffix, read back and recounted first, and say what there is to report: see `covey.network.publish.writing`."""
        return write_release(self, Path(target), **options)


def as_secret(seed: Any) -> str:
    """What a seed stands for; None: drawn by the operating system."""
    if seed is None:
        return randomness.draw()
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or not 0 <= seed < 2**256:
        raise OptionError(f"seed is {shown(seed)}; needed: None or a whole number from 0 to below 2^256")
    return randomness.from_seed(int(seed))
