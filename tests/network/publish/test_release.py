"""The super-graph: what is published, against its slow definition, and what an attacker finds in it."""

from __future__ import annotations

import json
import pickle
import warnings
from itertools import combinations
from typing import TYPE_CHECKING, Any

import networkx as nx
import pytest

from covey import Partition
from covey.errors import InputError, OptionError, RefusedError
from covey.network.publish.recount import Claims, recount
from covey.network.publish.release import SmallClustersWarning, release
from covey.network.publish.report import to_html, to_json, to_text
from covey.network.reading import as_network
from tests.network.publish.releases import chunks, count_between, people, published_chunks, published_order

if TYPE_CHECKING:
    from pathlib import Path

    from covey.network.publish.release import NetworkRelease

EDGE_COLUMNS = ("source", "target", "edges", "edges_low", "edges_high", "density", "links")


@pytest.mark.parametrize("counts", ["round", "suppress", "exact"])
@pytest.mark.parametrize("connected", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_ranges_hold_the_true_counts(counts: str, connected: bool, seed: int) -> None:  # noqa: FBT001
    graph = people(17 + 9 * seed, seed, density=(0.0, 0.05, 0.2, 0.5, 0.9, 1.0)[seed])
    partition = chunks(graph, 4)
    done = release(graph, 4, solution=partition, counts=counts, connected=connected, seed=seed)
    names = list(graph)
    groups = [[names[v] for v in group] for group in partition.groups()]
    order = published_order(len(groups), seed)
    clusters = done.vertices.to_pylist()
    for row, place in zip(clusters, order, strict=True):
        assert row["size"] == len(groups[place])
        true = count_between(graph, groups[place], groups[place])
        assert row["edges_low"] <= true <= row["edges_high"]
    place_of = {row["cluster"]: place for row, place in zip(clusters, order, strict=True)}
    listed = {frozenset((row["source"], row["target"])): row for row in done.edges.to_pylist()}
    for one, other in combinations(place_of, 2):
        true = count_between(graph, groups[place_of[one]], groups[place_of[other]])
        link = listed.get(frozenset((one, other)))
        low, high = (0, done.rule.unlisted) if link is None else (link["edges_low"], link["edges_high"])
        assert low <= true <= high


@pytest.mark.parametrize("counts", ["round", "suppress"])
def test_densities_do_not_undo_the_rounding(counts: str) -> None:
    graph = people(60, 3, density=0.4)
    done = published_chunks(graph, 5, counts=counts, seed=3)
    sizes = {row["cluster"]: row["size"] for row in done.vertices.to_pylist()}
    rows = [(row, row["size"] * (row["size"] - 1) // 2) for row in done.vertices.to_pylist()]
    rows += [(row, sizes[row["source"]] * sizes[row["target"]]) for row in done.edges.to_pylist()]
    assert any(row["edges"] is not None for row, _ in rows)
    for row, pairs in rows:
        if row["edges"] is None:
            assert row["density"] is None
        else:
            assert row["density"] * pairs == pytest.approx(row["edges"])


def public_texts(done: NetworkRelease, folder: Path) -> str:
    """Everything that is published, as one text."""
    for kind in ("graphml", "gexf", "gml", "csv", "jsonl"):
        done.write(folder / f"out.{kind}", samples=1)
    written = "\n".join(path.read_text(encoding="utf-8") for path in sorted(folder.iterdir()))
    report = done.report.public()
    return "\n".join(
        [written, to_json(report), to_text(report), to_html(report), done.certificate.to_json(), repr(done)]
    )


def test_no_output_names_a_vertex_or_tells_of_the_original(tmp_path: Path) -> None:
    graph = people(60, 1, density=0.3)
    graph.add_edge(*[next(iter(graph))] * 2)
    done = published_chunks(
        graph, 6, numeric=["age"], ordered={"school": ["none", "some", "all"]}, unordered=["town"], measure=True
    )
    text = public_texts(done, tmp_path)
    assert "Zaphod" not in text
    assert "+44-" not in text  # an attribute that nobody asked for
    edges = as_network(graph).m
    sums = sum(row["edges"] for table in (done.vertices, done.edges) for row in table.to_pylist())
    assert sums != edges  # else the next line would say nothing
    public = json.loads(done.certificate.to_json()) | {m.measure: m.after for m in done.report.public().measures}
    assert edges not in public.values()
    assert 2 * edges / 60 not in public.values()
    assert all(m.before is None for m in done.report.public().measures)
    assert not {"radius", "bound", "loss", "seed", "edges"} & set(public)
    internal = to_json(done.report)
    assert "Zaphod" not in internal
    assert "from a vertex to itself" in internal
    assert "phone" in internal  # dropped, and said to be


def test_a_release_holds_nothing_of_the_original() -> None:
    done = published_chunks(people(40), 5, seed=1, measure=True)
    assert b"Zaphod" not in pickle.dumps(done)
    assert not any(hasattr(done, name) for name in ("network", "partition", "solution"))


def test_new_names_are_no_names_of_vertices() -> None:
    graph = nx.relabel_nodes(people(20), {name: f"C{i + 1}" for i, name in enumerate(people(20))})
    done = published_chunks(graph, 5)
    assert not {name.casefold() for name in graph} & set(done.vertices["cluster"].to_pylist())
    assert not set(nx.relabel_nodes(people(20), {name: f"v{i + 1}" for i, name in enumerate(people(20))})) & set(
        published_chunks(nx.relabel_nodes(people(20), {name: f"v{i + 1}" for i, name in enumerate(people(20))}), 5)
        .sample()
        .network.names
    )


def test_the_seed_decides_and_the_order_is_no_secret_s_enemy() -> None:
    graph = people(200, 2)
    first, again, other = (published_chunks(graph, 5, seed=seed) for seed in (1, 1, 2))
    assert first.vertices.equals(again.vertices)
    assert first.edges.equals(again.edges)
    assert not first.edges.equals(other.edges)
    assert published_order(40, 1) != list(range(40))
    drawn = [published_chunks(graph, 5) for _ in range(2)]
    assert not drawn[0].edges.equals(drawn[1].edges)  # without a seed nobody can guess it
    assert drawn[0].certificate.internal["seed"] > 2**128


@pytest.mark.parametrize(("density", "flag"), [(1.0, "all"), (-1.0, "none")])
def test_links_that_are_certain_are_flagged(density: float, flag: str) -> None:
    graph = nx.complete_graph(12) if density == 1.0 else nx.empty_graph(12)
    parts = Partition([v // 4 for v in range(12)])
    exact = release(graph, 4, solution=parts, counts="exact")
    assert set(exact.vertices["links"].to_pylist()) == {flag}
    assert set(exact.edges["links"].to_pylist()) <= {"all"}
    assert any("make links certain" in note.text for note in exact.report.public().notes)
    assert any("certainly no link" in note.text for note in exact.report.public().notes)
    for counts in ("round", "suppress"):
        hidden = release(graph, 4, solution=parts, counts=counts)
        assert set(hidden.vertices["links"].to_pylist()) == {""}
        assert set(hidden.edges["links"].to_pylist()) <= {""}


def test_a_connected_pair_is_certain_and_flagged() -> None:
    graph = nx.path_graph(6)
    parts = Partition([0, 0, 1, 1, 2, 2])
    with pytest.warns(SmallClustersWarning):
        done = release(graph, 2, solution=parts, connected=True)
    assert done.vertices["links"].to_pylist() == ["all"] * 3
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SmallClustersWarning)
        apart = release(graph, 2, solution=parts)
    assert apart.vertices["links"].to_pylist() == [""] * 3


def columns(rows: list[dict[str, Any]]) -> dict[str, list[Any]]:
    return {name: [row[name] for row in rows] for name in rows[0]} if rows else {key: [] for key in EDGE_COLUMNS}


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda t: t[0][0].update(size=3), "fewer than 4"),
        (lambda t: t[0][0].update(edges_low=t[0][0]["edges"], edges_high=t[0][0]["edges"]), "narrower"),
        (lambda t: t[0][0].update(edges_high=999), "not possible"),
        (lambda t: t[0][0].update(density=t[0][0]["density"] + 0.01), "density"),
        (lambda t: t[1][0].update(density=None), "no density"),
        (lambda t: t[1][0].update(edges=t[1][0]["edges_high"] + 1), "out of its range"),
        (lambda t: t[0][0].update(links="all"), "flagged"),
        (lambda t: t[1].append(t[1][0]), "twice"),
        (lambda t: t[1][0].update(target="c99"), "not published"),
        (lambda t: t[0][1].update(cluster=t[0][0]["cluster"]), "names of their own"),
        (lambda t: t[0][0].update(size="4.5"), "whole number"),
        (lambda t: t[1][0].update(edges=None, density=None), "missing"),
    ],
)
def test_the_recount_refuses(spoil: Any, said: str) -> None:
    done = published_chunks(people(30, 4, density=0.5), 4, seed=4)
    vertices, edges = done.vertices.to_pylist(), done.edges.to_pylist()
    counted = done.recount(columns(vertices), columns(edges))
    assert (counted.smallest, counted.vertices) == (4, 30)
    spoil((vertices, edges))
    with pytest.raises(RefusedError, match=said):
        done.recount(columns(vertices), columns(edges))


def test_the_recount_refuses_small_counts_that_should_be_suppressed() -> None:
    row = {"cluster": "c1", "size": 5, "edges": 2, "edges_low": 2, "edges_high": 2, "density": 0.2, "links": ""}
    with pytest.raises(RefusedError, match="small count"):
        recount(columns([row]), columns([]), Claims(5, "suppress", 3, connected=False))
    assert recount(columns([row]), columns([]), Claims(5, "suppress", 2, connected=False)).clusters == 1


@pytest.mark.parametrize(
    ("options", "error", "said"),
    [
        ({"numeric": ["town"]}, InputError, "'town' is nominal"),
        ({"ordered": ["town"]}, InputError, "no order of its own"),
        ({"numeric": ["weight"]}, InputError, "no vertex has the attributes weight"),
        ({"numeric": ["age"], "unordered": ["age"]}, OptionError, "more than one kind"),
        ({"numeric": "age"}, OptionError, "a list of attributes"),
        ({"ordered": 3}, OptionError, "ordered is 3"),
        ({"unordered": ["size"]}, OptionError, "named as columns"),
        ({"unordered": ["nick"]}, RefusedError, "names of vertices"),
        ({"unordered": ["odd"]}, InputError, "mixes types"),
        ({"seed": -1}, OptionError, "seed is -1"),
        ({"counts": "none"}, OptionError, "counts is 'none'"),
    ],
)
def test_bad_input_is_refused_without_names(options: dict[str, Any], error: type[Exception], said: str) -> None:
    graph = people(20)
    for v, name in enumerate(graph):
        graph.nodes[name].update(nick=next(iter(graph)).upper(), odd=v if v % 2 else "three", size=v)
    with pytest.raises(error, match=said) as caught:
        published_chunks(graph, 4, **options)
    assert "zaphod" not in str(caught.value).casefold()


def test_clusters_that_do_not_fit_are_refused() -> None:
    graph = nx.path_graph(8)
    for parts, said in (
        (Partition([0] * 7), "of 7 vertices"),
        (Partition([0] * 5 + [1] * 3), "smallest cluster has 3"),
        ([0] * 8, "solution is"),
    ):
        with pytest.raises(OptionError, match=said):
            release(graph, 4, solution=parts)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="some of the clusters are not"):
        release(graph, 4, solution=Partition([0, 1] * 4), connected=True)
    for idle in ({"upper": 7}, {"method": "milp"}, {"options": {"seed": 3}}, {"objective": "sum"}):
        with pytest.raises(OptionError, match="have no effect"):
            release(graph, 4, solution=chunks(graph, 4), **idle)
    with pytest.raises(OptionError, match="lower is 1"):
        release(graph, 1)


def test_the_recount_imports_nothing_but_errors() -> None:
    import ast
    import inspect

    import covey.network.publish.recount as module

    tree = ast.parse(inspect.getsource(module))
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name for name in imported if name and name.startswith("covey")} == {"covey.errors"}


def test_names_in_a_page_are_only_names() -> None:
    graph = people(20)
    nx.set_node_attributes(graph, 1.5, "<script>alert(1)</script>")
    page = to_html(published_chunks(graph, 4, numeric=["<script>alert(1)</script>"]).report)
    assert "<script" not in page
    assert "&lt;script&gt;" in page


def test_networks_with_the_same_counts_as_published_have_the_same_public_outputs() -> None:
    """Whatever else differs, nothing that is handed out may tell: neither edges in all, nor drawings, nor measures."""
    graph = people(48, 6, density=0.2)
    names = list(graph)
    one_more, moved = graph.copy(), graph.copy()
    inside = [pair for pair in combinations(names[:6], 2) if not graph.has_edge(*pair)]
    one_more.add_edge(*inside[0])
    there = next(
        pair
        for pair in combinations(names[:6], 2)
        if graph.has_edge(*pair) and names.index(pair[1]) > names.index(pair[0]) + 1
    )
    moved.remove_edge(*there)
    moved.add_edge(*inside[1])
    moved.nodes[names[0]]["phone"] = "another"
    found = 0
    for seed in range(12):
        first = published_chunks(graph, 6, seed=seed, measure=True)
        for other in (one_more, moved):
            second = published_chunks(other, 6, seed=seed, measure=True)
            if not first.vertices.equals(second.vertices) or not first.edges.equals(second.edges):
                continue
            found += 1
            for told in (to_json, to_text, to_html):
                assert told(first.report.public()) == told(second.report.public())
            assert first.certificate.to_json() == second.certificate.to_json()
            if seed == 0:
                assert first.draw() == second.draw()
    assert found > 14  # all of the moved, and some of those with one edge more


def test_a_value_of_one_vertex_alone_is_not_published() -> None:
    """A mode of values that are all different, and a median of numbers, would be one member's own."""
    graph = nx.path_graph(10)
    for v in graph:
        graph.nodes[v].update(email=f"member{v}@home", income=1000 + v, town="A" if v < 7 else "B")
    done = published_chunks(graph, 5, unordered=["email", "town"], ordered=["income"])
    assert done.vertices["email"].null_count == done.vertices["income"].null_count == 2
    assert sorted(done.vertices["town"].to_pylist()) == ["A", "B"]
    assert sum("one vertex's own value and is left out" in note.text for note in done.report.notes) == 2
    assert "@home" not in to_json(done.report)


def test_carved_clusters_that_need_not_be_connected_are_told() -> None:
    graph = nx.barabasi_albert_graph(3000, 2, seed=2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SmallClustersWarning)
        done = release(graph, 2, 3, method="carving", seed=1)
    assert not done.certificate.public["clusters_are_connected"]
    assert any("were grown along edges" in note.text for note in done.report.public().notes)


def test_options_of_the_call_are_no_options_of_a_method() -> None:
    with pytest.raises(OptionError, match="upper are no options of a method"):
        release(nx.path_graph(9), 3, options={"upper": 4})
