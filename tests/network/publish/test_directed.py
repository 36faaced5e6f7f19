"""Directed networks as they are published: directions are kept and counted, and attackers know them."""

from __future__ import annotations

import json
from collections import Counter
from itertools import permutations, product
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest

from covey import Partition, cli
from covey.checking.certificate import check_certificate
from covey.errors import InputError, RefusedError
from covey.network import NetworkRecipe, check, degree_anonymous, release
from covey.network.formats import FORMATS, read_network
from covey.network.publish.attacks import degree_classes, ego_classes, neighbourhood_classes
from covey.network.publish.rounding import CountRule
from covey.network.publish.seals import seals_of
from covey.network.publish.supergraph import supergraph
from covey.network.publish.trace import keyed_hash
from covey.network.reading import as_network
from tests.network.publish.releases import chunks, published_order

if TYPE_CHECKING:
    from pathlib import Path

    from covey.network.publish.release import NetworkRelease

SECRET = "00" * 32


def followers(n: int, seed: int = 0, density: float = 0.1) -> Any:
    """Who follows whom: everybody the next one, and some others."""
    graph = nx.gnp_random_graph(n, density, seed=seed, directed=True)
    graph.add_edges_from((v, v + 1) for v in range(n - 1))
    return nx.relabel_nodes(graph, {v: f"Zaphod-{7919 * (v + 1)}" for v in range(n)})


def published(graph: Any, size: int, **options: Any) -> NetworkRelease:
    return release(graph, size, solution=chunks(graph, size), ledger=False, **options)


@pytest.mark.parametrize("counts", ["round", "suppress", "exact"])
@pytest.mark.parametrize("connected", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_ranges_hold_the_true_counts_of_both_directions(counts: str, connected: bool, seed: int) -> None:  # noqa: FBT001
    graph = followers(17 + 9 * seed, seed, density=(0.0, 0.05, 0.3, 0.9, 1.0)[seed])
    done = published(graph, 4, counts=counts, connected=connected, seed=seed)
    names = list(graph)
    groups = [[names[v] for v in group] for group in chunks(graph, 4).groups()]
    place_of = dict(zip(done.vertices["cluster"].to_pylist(), published_order(len(groups), seed), strict=True))
    for row in done.vertices.to_pylist():
        members = groups[place_of[row["cluster"]]]
        true = sum(graph.has_edge(a, b) for a, b in permutations(members, 2))
        assert row["edges_low"] <= true <= row["edges_high"]
    listed = {(row["source"], row["target"]): row for row in done.edges.to_pylist()}
    for one, other in permutations(place_of, 2):
        true = sum(graph.has_edge(a, b) for a in groups[place_of[one]] for b in groups[place_of[other]])
        link = listed.get((one, other))
        low, high = (0, done.rule.unlisted) if link is None else (link["edges_low"], link["edges_high"])
        assert low <= true <= high
        assert link is None or counts != "exact" or link["edges"] == true
    assert done.directed
    assert done.certificate.public["directed"] is True


def test_every_small_directed_network_by_its_definition() -> None:
    """All directed graphs on four vertices: counts of arcs inside both clusters and each way between them."""
    pairs = list(permutations(range(4), 2))
    for chosen in product([False, True], repeat=len(pairs)):
        arcs = [pair for pair, taken in zip(pairs, chosen, strict=True) if taken]
        graph = nx.DiGraph()
        graph.add_nodes_from(range(4))
        graph.add_edges_from(arcs)
        made = supergraph(as_network(graph), Partition([0, 0, 1, 1]), CountRule("exact"), SECRET, connected=False)
        cluster = [made.vertices["cluster"].to_pylist()[made.order.tolist().index(v // 2)] for v in range(4)]
        between = Counter((cluster[a], cluster[b]) for a, b in arcs)
        rows = made.edges.to_pylist()
        assert {(row["source"], row["target"]): row["edges"] for row in rows} == {
            ends: count for ends, count in between.items() if ends[0] != ends[1]
        }
        assert {row["cluster"]: row["edges"] for row in made.vertices.to_pylist()} == {
            name: between[name, name] for name in set(cluster)
        }
        assert all(row["density"] == row["edges"] / 4 for row in rows)


@pytest.mark.parametrize("kind", FORMATS)
def test_files_keep_directions(tmp_path: Path, kind: str) -> None:
    done = published(followers(40, 1, 0.06), 5, seed=1)
    target = tmp_path / f"out.{kind}"
    done.write(target, certificate=tmp_path / "c.json", samples=1, ledger=False)
    ends = list(zip(done.edges["source"].to_pylist(), done.edges["target"].to_pylist(), strict=True))
    assert set(ends) & {(head, tail) for tail, head in ends}  # some both ways, with rows of their own
    assert set(done.to_networkx().edges) == set(ends)
    if kind in ("graphml", "gexf", "gml"):
        back = read_network(target).network
        assert back.arcs is not None
        assert {(back.names[t], back.names[h]) for t, h in zip(*back.arcs[:2], strict=True)} == set(ends)
        assert read_network(tmp_path / f"out-sample-1.{kind}").network.directed
    assert check_certificate(str(target), tmp_path / "c.json").passed
    if kind == "graphml":
        before = seals_of([target], kind)[0].rows_hash
        target.write_text(_one_turned(target.read_text(encoding="utf-8"), set(ends)), encoding="utf-8")
        assert seals_of([target], kind)[0].rows_hash != before
        assert not check_certificate(str(target), tmp_path / "c.json").passed


def _one_turned(text: str, ends: set[tuple[str, str]]) -> str:
    """The file with an arc that goes the other way, where none does."""
    tail, head = next((tail, head) for tail, head in ends if (head, tail) not in ends)
    return text.replace(f'<edge source="{tail}" target="{head}"', f'<edge source="{head}" target="{tail}"')


@pytest.mark.parametrize("counts", ["round", "suppress", "exact"])
@pytest.mark.parametrize("connected", [False, True])
@pytest.mark.parametrize("density", [0.0, 0.3])
def test_samples_have_the_counts_of_both_directions(counts: str, connected: bool, density: float) -> None:  # noqa: FBT001
    done = published(followers(45, 1, density), 5, counts=counts, connected=connected, seed=1)
    drawn = done.sample(3)
    cluster = dict(zip(*(drawn.vertices[name].to_pylist() for name in ("vertex", "cluster")), strict=True))
    arcs = list(zip(*(drawn.edges[name].to_pylist() for name in ("source", "target")), strict=True))
    assert len(set(arcs)) == len(arcs)
    found = Counter((cluster[one], cluster[other]) for one, other in arcs)
    rows = [((row["cluster"],) * 2, row) for row in done.vertices.to_pylist()]
    rows += [((row["source"], row["target"]), row) for row in done.edges.to_pylist()]
    for ends, row in rows:
        low, high = (row["edges_low"], row["edges_high"]) if row["edges"] is None else (row["edges"],) * 2
        assert low <= found.pop(ends, 0) <= high
    assert not found
    graph = drawn.to_networkx()
    assert graph.is_directed()
    if connected:
        for name in set(cluster.values()):
            assert nx.is_weakly_connected(graph.subgraph(v for v in cluster if cluster[v] == name))


def columns(rows: list[dict[str, Any]]) -> dict[str, list[Any]]:
    return {name: [row[name] for row in rows] for name in rows[0]}


def test_the_recount_counts_ordered_pairs() -> None:
    done = published(followers(30, 4, 0.9), 4, seed=4)
    vertices, edges = done.vertices.to_pylist(), done.edges.to_pylist()
    assert max(row["edges"] / (row["size"] * (row["size"] - 1)) for row in vertices) > 0.5
    assert done.recount(columns(vertices), columns(edges)).vertices == 30
    with pytest.raises(RefusedError, match="listed twice"):
        done.recount(columns(vertices), columns([*edges, edges[0]]))
    listed = {(row["source"], row["target"]) for row in edges}
    assert any(
        (head, tail) in listed for tail, head in listed
    )  # both directions, and neither is the other listed twice
    full = 2 * vertices[0]["size"] * (vertices[0]["size"] - 1)
    vertices[0].update(edges_high=full)
    with pytest.raises(RefusedError, match="not possible"):
        done.recount(columns(vertices), columns(edges))


@pytest.mark.parametrize("seed", range(10))
def test_classes_by_their_definitions(seed: int) -> None:
    rng = np.random.RandomState(seed)
    graph = nx.gnp_random_graph(int(rng.randint(1, 50)), rng.random_sample() ** 2, seed=seed, directed=True)
    network = as_network(graph)
    degree = {v: (graph.in_degree[v], graph.out_degree[v]) for v in graph}
    shared = Counter(degree.values())
    assert degree_classes(network).tolist() == [shared[degree[v]] for v in graph]
    beside = {
        v: tuple(
            sorted(
                (graph.has_edge(v, w), graph.has_edge(w, v), degree[w])
                for w in {*graph.successors(v), *graph.predecessors(v)}
            )
        )
        for v in graph
    }
    alike = Counter(beside.values())
    assert neighbourhood_classes(network).tolist() == [alike[beside[v]] for v in graph]


def test_small_neighbourhoods_with_directions_are_told_apart_as_drawings_are() -> None:
    """All ways to link up to three neighbours with a vertex and with each other: the classes are those of isomorphism."""
    shapes = []
    for near in range(4):
        among = list(permutations(range(1, near + 1), 2))
        for ways in product([[(0, 1)], [(1, 0)], [(0, 1), (1, 0)]], repeat=near):
            for chosen in product([False, True], repeat=len(among)):
                graph = nx.DiGraph()
                graph.add_node(0)
                for w, way in enumerate(ways, start=1):
                    graph.add_edges_from((0, w) if there == (0, 1) else (w, 0) for there in way)
                graph.add_edges_from(pair for pair, taken in zip(among, chosen, strict=True) if taken)
                shapes.append(graph)
    forms = [_form(graph) for graph in shapes]
    shared = Counter(forms)
    whole = nx.disjoint_union_all(shapes)
    starts = np.cumsum([0, *map(len, shapes[:-1])])
    classes = ego_classes(as_network(whole))
    among_all = Counter(_form(_around(whole, v)) for v in whole)
    assert classes[starts].tolist() == [among_all[form] for form in forms]
    assert len(shared) > 100


def _around(graph: Any, v: int) -> Any:
    """The 1-neighbourhood, with the vertex called 0."""
    near = [v, *sorted({*graph.successors(v), *graph.predecessors(v)})]
    return nx.relabel_nodes(graph.subgraph(near), {w: place for place, w in enumerate(near)})


def _form(graph: Any) -> tuple[Any, ...]:
    """The first of all ways to write the drawing: two drawings are the same where this is."""
    n = len(graph)
    ways = ((0, *order) for order in permutations(range(1, n)))
    return n, min(tuple(sorted((way[a], way[b]) for a, b in graph.edges)) for way in ways)


def test_attackers_know_arcs_in_and_out_together() -> None:
    ring = nx.DiGraph([(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)])
    undirected = {one.known: one.unique for one in check(ring.to_undirected(), 2)}
    directed = {one.known: one.unique for one in check(ring, 2)}
    assert (undirected["degree"], directed["degree"]) == (0, 2)  # 0 and 2: one has two out, the other two in
    assert check(list(ring.edges), 2, directed=True) == check(ring, 2)


def test_what_cannot_hold_for_directions_is_refused() -> None:
    with pytest.raises(InputError, match="the network is directed.*--undirected"):
        degree_anonymous(followers(20), 2, ledger=False)
    assert degree_anonymous(followers(20), 2, directed=False, seed=1, ledger=False).k == 2


def test_reports_and_hashes_know_directions() -> None:
    graph = followers(40, 2)
    done = published(graph, 5, seed=1, measure=True)
    assert any("edges have directions" in note.text for note in done.report.public().notes)
    turned = graph.reverse()
    assert keyed_hash(as_network(graph), SECRET) != keyed_hash(as_network(turned), SECRET)
    assert keyed_hash(as_network(graph, directed=False), SECRET) == keyed_hash(
        as_network(turned, directed=False), SECRET
    )
    certain = {one.measure: one.after for one in done.report.measures}["confidence in a link"]
    sizes = {row["cluster"]: row["size"] for row in done.vertices.to_pylist()}
    shares = [row["edges_low"] / (row["size"] * (row["size"] - 1)) for row in done.vertices.to_pylist()]
    shares += [row["edges_low"] / (sizes[row["source"]] * sizes[row["target"]]) for row in done.edges.to_pylist()]
    assert certain == pytest.approx(max(shares))


def test_small_components_along_directions_are_those_with_ways_back() -> None:
    graph = nx.DiGraph([(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (2, 3), (5, 6), (6, 7)])
    done = release(graph, 3, small_components="suppress", follow_directions=True, seed=1, ledger=False)
    assert done.vertices["size"].to_pylist() == [3, 3]
    assert not done.connected
    assert done.certificate.public["directed"]


def test_command_and_recipe_say_directions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ring = [(v, (v + 1) % 30) for v in range(30)]
    pd.DataFrame(ring, columns=["source", "target"]).to_csv(tmp_path / "ring.csv", index=False)
    command = ["network", "release", str(tmp_path / "ring.csv"), "--no-ledger", "--quiet", "--seed", "3"]
    chosen = ["--lower", "5", "--directed", "--follow-directions", "--method", "carving"]
    internal = tmp_path / "internal.json"
    assert cli.main([*command, *chosen, "-o", str(tmp_path / "a.graphml"), "--internal", str(internal)]) == 0
    recipe = NetworkRecipe.from_dict(json.loads(internal.read_text(encoding="utf-8"))["recipe"])
    assert (recipe.directed, recipe.follow_directions) == (True, True)
    (tmp_path / "r.toml").write_text(recipe.to_toml(), encoding="utf-8")
    assert cli.main([*command[:5], "--recipe", str(tmp_path / "r.toml"), "-o", str(tmp_path / "b.graphml")]) == 0
    assert (tmp_path / "a.graphml").read_bytes() == (tmp_path / "b.graphml").read_bytes()
    again = release(str(tmp_path / "ring.csv"), recipe=recipe, ledger=False)
    assert set(again.to_networkx().edges) == set(nx.read_graphml(tmp_path / "b.graphml").edges)
    capsys.readouterr()
    assert cli.main(["network", "check", str(tmp_path / "ring.csv"), "-k", "3", "--directed", "--json"]) == 0
    assert (
        cli.main(["network", "microaggregate", str(tmp_path / "ring.csv"), "--lower", "3", "--follow-directions"]) == 2
    )
    assert "no directions" in capsys.readouterr().err
