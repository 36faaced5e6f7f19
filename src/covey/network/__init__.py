"""Grouping the vertices of a network: clusters of at least `lower` vertices near a common centre."""

from __future__ import annotations

from covey.network import instances
from covey.network.methods.carving import Carving
from covey.network.methods.cover.cluster_types import ClusterTypes
from covey.network.methods.cover.few_centres import FewCentres
from covey.network.methods.cover.kernelization import Kernel
from covey.network.methods.gather import Gather
from covey.network.methods.gather_colours import diverse
from covey.network.methods.method import NetworkMethod
from covey.network.methods.milp import Multiplicity
from covey.network.methods.pipeline import Pipeline
from covey.network.methods.registry import METHODS, microaggregate
from covey.network.methods.solution import NetworkSolution
from covey.network.methods.treewidth.method import Treewidth
from covey.network.publish.attacks import Exposure, check
from covey.network.publish.comparison import NetworkComparison, compare
from covey.network.publish.degree.release import degree_anonymous
from covey.network.publish.recipe import NetworkRecipe, read_network_recipe
from covey.network.publish.release import NetworkRelease, release

__all__ = [
    "METHODS",
    "Carving",
    "ClusterTypes",
    "Exposure",
    "FewCentres",
    "Gather",
    "Kernel",
    "Multiplicity",
    "NetworkComparison",
    "NetworkMethod",
    "NetworkRecipe",
    "NetworkRelease",
    "NetworkSolution",
    "Pipeline",
    "Treewidth",
    "check",
    "compare",
    "degree_anonymous",
    "diverse",
    "instances",
    "microaggregate",
    "read_network_recipe",
    "release",
]
