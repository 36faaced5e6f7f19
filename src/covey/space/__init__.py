"""Grouping in space: several numbers a record. NP-hard, so heuristics, with a bound on how far from the best they are."""

from covey.space.auto import Auto
from covey.space.bound import lower_bound
from covey.space.decompose import Decompose
from covey.space.each_column import EachColumn, NotJointlyAnonymousWarning
from covey.space.exact import Exact
from covey.space.gather_colours import GatherColours, diverse
from covey.space.group_walk import CbfsMhm, MdavMhm
from covey.space.imhm import Imhm
from covey.space.kmeans import KMeans
from covey.space.mdav import Cbfs, CbfsGrowing, Mdav, VMdav
from covey.space.nearest_neighbour import NearestNeighbour
from covey.space.ordering import NpnMhm, Pca, RandomProjection, Split, Tour, ZScore
from covey.space.repeated_ordering import RepeatedOrdering
from covey.space.search import Search

__all__ = [
    "Auto",
    "Cbfs",
    "CbfsGrowing",
    "CbfsMhm",
    "Decompose",
    "EachColumn",
    "Exact",
    "GatherColours",
    "Imhm",
    "KMeans",
    "Mdav",
    "MdavMhm",
    "NearestNeighbour",
    "NotJointlyAnonymousWarning",
    "NpnMhm",
    "Pca",
    "RandomProjection",
    "RepeatedOrdering",
    "Search",
    "Split",
    "Tour",
    "VMdav",
    "ZScore",
    "diverse",
    "lower_bound",
]
