"""`NetworkCertificate`: what was counted on a published network, in a form for everyone and a form for the publisher."""

from __future__ import annotations

import platform
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.network.publish.rounding import CountRule
from covey.report.certificate import TwoForms
from covey.utils.version import version

if TYPE_CHECKING:
    from collections.abc import Sequence

    from covey.network.publish.recount import Claims, NetworkRecount
    from covey.utils.seal import Seal

LINKS = (
    "Grouping vertices does not hide links: how many edges there are between two clusters tells how likely a link between "
    "a member of one and a member of the other is."
)


@dataclass(frozen=True)
class NetworkCertificate(TwoForms):
    """What a published network satisfies. `public` may be handed out with it; `internal` must not.

    The internal form also has the seed, which undoes the rounding together with a guess of the original, the settings,
    and what was measured on the original.
    """

    public: dict[str, Any] = field(repr=False)
    internal: dict[str, Any] = field(repr=False)

    @classmethod
    def of(cls, public: dict[str, Any], internal: dict[str, Any]) -> NetworkCertificate:
        """A certificate; versions are added."""
        public = {"covey": version()} | public
        versions = {"python": platform.python_version(), "numpy": np.__version__}
        return cls(public, public | internal | versions)

    def sealed(self, seals: Sequence[Seal]) -> NetworkCertificate:
        """The same with what is known of the files that were written."""
        released = {"released": [seal.as_dict() for seal in seals]}
        return NetworkCertificate(self.public | released, self.internal | released)


def promise(smallest: int) -> str:
    """What a super-graph promises, in words."""
    return (
        f"Every vertex is published as one of at least {smallest} of its cluster, with the values of its cluster only. {LINKS} "
        "Nothing is promised about other knowledge or what all members of a cluster share."
    )


def degree_promise(k: int) -> str:
    """What a k-degree-anonymous graph promises, in words."""
    return (
        f"k-degree anonymity with k = {k}: nobody can single out fewer than {k} vertices by their number of neighbours alone. "
        "Whoever knows more than that, such as the degrees of neighbours or some links, may. Links are not hidden: most "
        "edges are those of the original."
    )


SENTENCES = ("promise", "counts", "pairs_of_clusters_not_listed")
"""What a certificate of clusters says in words."""
FIGURES = (
    *("lower_asked", "smallest_cluster", "clusters", "vertices", "linked_pairs_of_clusters", "clusters_are_connected"),
    *("directed", "kept", "rows_with_certain_links", "cluster_sizes"),
)
"""What else it says that follows from what is published; `directed` and `kept` where they are so."""


def facts_of_clusters(claims: Claims, counted: NetworkRecount, linked: int) -> dict[str, object]:
    """What is said of published clusters: only what follows from what is published and recounted.

    Neither edges in all nor distances, from which counts could be found.
    """
    rule = rule_of(claims)
    return {
        "lower_asked": claims.lower,
        "smallest_cluster": counted.smallest,
        "clusters": counted.clusters,
        "vertices": counted.vertices,
        "linked_pairs_of_clusters": linked,
        "clusters_are_connected": claims.connected,
        **({"directed": True} if claims.directed else {}),
        **({"kept": ", ".join(claims.keep)} if claims.keep else {}),
        "counts": rule.sentence(connected=claims.connected),
        "pairs_of_clusters_not_listed": f"have 0 to {rule.unlisted} edges" if rule.unlisted else "have no edge",
        "rows_with_certain_links": counted.certain,
    }


def rule_of(claims: Claims) -> CountRule:
    """The rule by which counts are claimed to be published."""
    width = {"round": "base", "suppress": "threshold"}.get(claims.counts)
    return CountRule(claims.counts, **({} if width is None else {width: claims.width}))
