"""What releases keep for samples: nobody is found by it, files hold it, and samples are nearer to the original."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from itertools import combinations, permutations
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np
import pytest

from covey import Partition, cli
from covey.checking.certificate import check_certificate
from covey.errors import InputError, OptionError, RefusedError
from covey.network import NetworkRecipe, check, release
from covey.network.formats import FORMATS
from covey.network.publish.kept import candidates_of, corners_of, from_text, listed
from covey.network.publish.utility import clustering
from covey.network.reading import as_network
from tests.network.publish.releases import chunks, people, published_chunks

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from covey.network.publish.release import NetworkRelease

BOTH = ("degrees", "triangles")


def partitions(vertices: tuple[int, ...], lower: int) -> Iterator[list[tuple[int, ...]]]:
    """All ways to cut them into clusters of at least `lower`."""
    if not vertices:
        yield []
    for size in range(lower, len(vertices) + 1):
        for rest in combinations(vertices[1:], size - 1):
            cluster = (vertices[0], *rest)
            others = tuple(v for v in vertices if v not in cluster)
            for clusters in partitions(others, lower):
                yield [cluster, *clusters]


def published(near: Any, clusters: list[tuple[int, ...]], corners: dict[int, int], how: Any) -> tuple[Any, ...]:
    """All that can be published of a graph, each count exact: of each cluster its size, edges, degrees and triangles, and the edges between."""
    told = []
    for cluster in clusters:
        inside = np.array([sum(w in cluster for w in near[v]) for v in cluster])
        told.append(
            (len(cluster), int(inside.sum()), tuple(listed(inside, *how).items()), sum(corners[v] for v in cluster))
        )
    numbers = range(len(clusters))
    between = {(a, b): sum(w in clusters[b] for v in clusters[a] for w in near[v]) for a, b in permutations(numbers, 2)}
    return min(
        (tuple(told[c] for c in order), tuple(between[a, b] for a, b in combinations(order, 2)), order)
        for order in permutations(numbers)
    )


def rows_of(degrees: list[int], degree: int, kept: dict[int, int]) -> set[int]:
    """The published rows of a cluster that a member of this degree may be: first those with a degree, then those without."""
    rows, start = set(), 0
    for one, count in kept.items():
        if one == degree:
            rows |= set(range(start, start + count))
        start += count
    if degrees.count(degree) > kept.get(degree, 0):
        rows |= set(range(start, len(degrees)))
    return rows


@pytest.mark.parametrize(("lower", "least", "step", "most"), [(3, 3, 1, 7), (3, 3, 3, 6), (2, 2, 1, 6), (2, 3, 1, 6)])
def test_no_vertex_of_any_small_graph_has_fewer_candidates(lower: int, least: int, step: int, most: int) -> None:
    """All graphs of up to 7 vertices in all clusters: whoever knows the degrees, triangles and neighbours of a vertex finds `lower` rows that may be it.

    All graphs of which the same is published are looked at together: they are what an attacker must reckon with.
    """
    candidates: dict[tuple[Any, ...], set[tuple[int, int]]] = defaultdict(set)
    for graph in nx.graph_atlas_g():
        if not lower <= len(graph) <= most:
            continue
        corners, near = nx.triangles(graph), {v: set(graph[v]) for v in graph}
        around = {v: (corners[v], tuple(sorted(len(near[w]) for w in near[v]))) for v in graph}
        for clusters in partitions(tuple(graph), lower):
            told, between, order = published(near, clusters, corners, (lower, least, step))
            for place, number in enumerate(order):
                cluster = clusters[number]
                degrees = [len(near[v].intersection(cluster)) for v in cluster]
                for v, degree in zip(cluster, degrees, strict=True):
                    rows = rows_of(degrees, degree, dict(told[place][2]))
                    candidates[told, between, degree, around[v]] |= {(place, row) for row in rows}
    assert len(candidates) > 1000
    assert min(map(len, candidates.values())) >= lower


def test_check_counts_the_same_candidates(tmp_path: Path) -> None:
    graph = nx.star_graph(3)
    graph.add_edges_from([(4, 5), (5, 6), (6, 4), (3, 4)])
    parts = Partition([0] * 4 + [1] * 3)
    done = release(graph, 3, solution=parts, keep=["degrees"], counts="exact", seed=1, ledger=False)
    assert sorted(done.vertices["degrees"].to_pylist()) == ["", "3 have 2"]  # the hub would be alone beside its leaves
    done.write(tmp_path / "out.graphml", ledger=False)
    assert {(one.below, one.least) for one in check(tmp_path / "out.graphml", 3)} == {(0, 3)}
    assert {one.below for one in check(tmp_path / "out.graphml", 4)} == {3}
    assert candidates_of({"size": [5, 7], "degrees": [None, "3 have 2"]}).tolist() == [5] * 5 + [3] * 3 + [4] * 4


@pytest.mark.parametrize("counts", ["round", "suppress", "exact"])
def test_links_that_degrees_make_certain_are_flagged(counts: str) -> None:
    """A clique, a ring, and five without an edge among them."""
    graph = nx.disjoint_union_all([nx.complete_graph(5), nx.cycle_graph(5), nx.empty_graph(5)])
    graph.add_edges_from([(0, 5), (5, 10)])
    parts = Partition(np.repeat([0, 1, 2], 5))
    done = release(graph, 5, solution=parts, keep=["degrees"], counts=counts, seed=1, ledger=False)
    rows = {row["degrees"]: row["links"] for row in done.vertices.to_pylist()}
    assert rows == {"5 have 4": "all", "5 have 2": "", "5 have 0": "none"}
    flags = [*done.vertices["links"].to_pylist(), *done.edges["links"].to_pylist()]
    assert done.certificate.public["rows_with_certain_links"] == sum(map(bool, flags))
    vertices = done.vertices.to_pydict()
    for flag in ("", "none"):
        vertices["links"][vertices["degrees"].index("5 have 4")] = flag
        with pytest.raises(RefusedError, match="certain"):
            done.recount(vertices, done.edges.to_pydict())


def kept_release() -> NetworkRelease:
    """Clusters of ten of which at least five must be alike."""
    graph = people(60, 1, 0.2)
    return release(graph, 5, solution=chunks(graph, 10), keep=BOTH, seed=1, ledger=False)


@pytest.mark.parametrize("seed", range(8))
def test_degrees_and_triangles_by_their_definitions(seed: int) -> None:
    graph = people(40 + seed, seed, density=0.05 * (seed + 1))
    corners = nx.triangles(graph)
    assert corners_of(as_network(graph)).tolist() == [corners[v] for v in graph]
    done = published_chunks(graph, 8, keep=BOTH, counts="exact", seed=seed, ledger=False)
    wanted = Counter[object]()
    for group in chunks(graph, 8).groups():
        names = [list(graph)[v] for v in group]
        degrees = Counter(dict(graph.subgraph(names).degree).values())
        kept = {degree: count for degree, count in degrees.items() if count >= 8}
        others = len(names) - sum(kept.values())
        wanted[tuple(sorted(kept.items())) if not 0 < others < 8 else (), sum(corners[v] for v in names)] += 1
    rows = done.vertices.to_pylist()
    assert Counter((tuple(sorted(from_text(row["degrees"]).items())), row["triangles"]) for row in rows) == wanted


@pytest.mark.parametrize("counts", ["round", "suppress"])
def test_counts_are_hidden_by_their_rule(counts: str) -> None:
    graph = people(66, 5, density=0.12)
    done = published_chunks(graph, 6, keep=BOTH, counts=counts, seed=2, ledger=False)
    for row in done.vertices.to_pylist():
        assert counts == "suppress" or row["triangles_high"] - row["triangles_low"] >= 2
        assert row["triangles"] is None or row["triangles_low"] <= row["triangles"] <= row["triangles_high"]
        assert all(
            count >= 6 and (counts == "suppress" or count % 3 == 0) for count in from_text(row["degrees"]).values()
        )
    corners, order = corners_of(as_network(graph)), done.vertices["triangles_low"].to_pylist()
    sums = sorted(int(sum(corners[v] for v in group)) for group in chunks(graph, 6).groups())
    assert all(low <= true for low, true in zip(sorted(order), sums, strict=True))
    assert any("a count of edges may be known better" in note.text for note in done.report.public().notes)


@pytest.mark.parametrize("kind", FORMATS)
def test_files_hold_what_is_kept(tmp_path: Path, kind: str) -> None:
    done = kept_release()
    assert any(done.vertices["degrees"].to_pylist())
    target = tmp_path / f"out.{kind}"
    done.write(target, certificate=tmp_path / "c.json", samples=1, ledger=False)
    assert check_certificate(str(target), tmp_path / "c.json").passed
    claims = json.loads((tmp_path / "c.json").read_text(encoding="utf-8"))
    assert claims["claims"]["keep"] == list(BOTH)
    assert claims["kept"] == "degrees, triangles"


@pytest.mark.parametrize(
    ("column", "value", "said"),
    [
        ("degrees", "4 have 1", "too few members"),
        ("degrees", "5 have 10", "not possible"),
        ("degrees", "5 have one", "not possible"),
        ("degrees", "5 have 1; 5 have 1", "not possible"),
        ("degrees", "6 have 1", "too few members of a cluster are left"),
        ("triangles_high", 10**9, "not possible"),
        ("triangles_low", -1, "not possible"),
        ("triangles", None, "missing"),
        ("triangles", 10**6, "out of its range"),
    ],
)
def test_the_recount_refuses(column: str, value: object, said: str) -> None:
    done = kept_release()
    vertices, edges = done.vertices.to_pydict(), done.edges.to_pydict()
    assert set(vertices["size"]) == {10}
    assert done.recount(vertices, edges).vertices == 60
    vertices[column][0] = value
    with pytest.raises(RefusedError, match=said):
        done.recount(vertices, edges)


@pytest.mark.parametrize("connected", [False, True])
@pytest.mark.parametrize("keep", [("degrees",), ("triangles",), BOTH])
def test_samples_are_moved_within_their_places(keep: tuple[str, ...], connected: bool) -> None:  # noqa: FBT001
    done = published_chunks(people(60, 1, 0.2), 6, keep=keep, connected=connected, seed=1, ledger=False)
    drawn = done.sample(3)
    assert drawn.edges.equals(done.sample(3).edges)
    cluster = dict(zip(*(drawn.vertices[name].to_pylist() for name in ("vertex", "cluster")), strict=True))
    ends = list(zip(*(drawn.edges[name].to_pylist() for name in ("source", "target")), strict=True))
    found = Counter(frozenset((cluster[one], cluster[other])) for one, other in ends)
    rows = [(frozenset((row["cluster"],)), row) for row in done.vertices.to_pylist()]
    rows += [(frozenset((row["source"], row["target"])), row) for row in done.edges.to_pylist()]
    assert found == Counter({ends: row["edges"] for ends, row in rows if row["edges"]})
    graph = drawn.to_networkx()
    for name in set(cluster.values()):
        assert not connected or nx.is_connected(graph.subgraph(v for v in cluster if cluster[v] == name))


def test_samples_of_what_is_kept_are_nearer_to_the_original() -> None:
    graph = nx.les_miserables_graph()
    how: dict[str, Any] = {"method": "carving", "connected": True, "seed": 1, "ledger": False}
    means = {}
    for keep in ((), ("triangles",), BOTH):
        done = release(graph, 3, keep=keep, **how)
        means[keep] = float(np.mean([clustering(done.sample(seed).network) for seed in range(3)]))
    assert means[()] < 0.35
    assert min(means["triangles",], means[BOTH]) > 0.42  # 0.57 in the original
    plain, kept = release(graph, 3, **how), release(graph, 3, keep=["degrees"], **how)
    missing = [sum(_missing(done.sample(0).to_networkx(), kept) for done in (one,)) for one in (plain, kept)]
    assert missing[1] < missing[0]


def _missing(graph: Any, done: Any) -> int:
    """How many members have none of the degrees that are published."""
    total = 0
    for row in done.vertices.to_pylist():
        members = [v for v, name in graph.nodes(data="cluster") if name == row["cluster"]]
        have = Counter(dict(graph.subgraph(members).degree).values())
        total += sum(max(0, count - have[degree]) for degree, count in from_text(row["degrees"]).items())
    return total


def test_what_cannot_be_kept_is_refused() -> None:
    graph = people(20)
    for wrong in ("degrees", ["hubs"], 3):
        with pytest.raises(OptionError, match="needed: a list of degrees, triangles"):
            published_chunks(graph, 5, keep=wrong)
    with pytest.raises(InputError, match="keep is given, and the network is directed"):
        release(nx.gnp_random_graph(20, 0.3, seed=1, directed=True), 5, keep=["triangles"], ledger=False)
    nx.set_node_attributes(graph, 3, "triangles")
    with pytest.raises(OptionError, match="named as columns of the release: triangles"):
        published_chunks(graph, 5, numeric=["triangles"])


def test_command_and_recipe_say_what_is_kept(tmp_path: Path) -> None:
    nx.write_edgelist(nx.karate_club_graph(), tmp_path / "karate.edgelist")
    command = ["network", "release", str(tmp_path / "karate.edgelist"), "--no-ledger", "--quiet"]
    internal = tmp_path / "internal.json"
    chosen = ["--lower", "3", "--keep", "triangles,degrees", "--method", "carving", "--internal", str(internal)]
    assert cli.main([*command, *chosen, "-o", str(tmp_path / "a.csv")]) == 0
    recipe = NetworkRecipe.from_dict(json.loads(internal.read_text(encoding="utf-8"))["recipe"])
    assert list(recipe.keep) == list(BOTH)
    (tmp_path / "r.toml").write_text(recipe.to_toml(), encoding="utf-8")
    assert cli.main([*command, "--recipe", str(tmp_path / "r.toml"), "-o", str(tmp_path / "b.csv")]) == 0
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()
