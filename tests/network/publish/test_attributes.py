"""Attributes of clusters: the value of each by its definition, and which are left out."""

from __future__ import annotations

from typing import Any

import networkx as nx
import pandas as pd
import pyarrow as pa
import pytest

from covey.errors import InputError
from covey.network.publish.release import release
from tests.network.publish.releases import chunks, people, published_chunks, published_order


def test_attributes_by_their_definitions() -> None:
    graph = people(33, 5)
    order = ["none", "some", "all"]
    done = published_chunks(graph, 4, numeric=["age"], ordered={"school": order}, unordered=["town"], seed=5)
    names, partition = list(graph), chunks(graph, 4)
    for row, place in zip(done.vertices.to_pylist(), published_order(len(partition), 5), strict=True):
        members = [graph.nodes[names[v]] for v in partition.groups()[place]]
        ages = [told["age"] for told in members if "age" in told]
        assert row["age"] == (None if len(ages) < 4 else round(sum(ages) / len(ages)))
        ranks = sorted(order.index(told["school"]) for told in members)
        middle = ranks[(len(ranks) - 1) // 2]
        assert row["school"] == (order[middle] if ranks.count(middle) > 1 else None)
        towns = [told["town"] for told in members]
        most = max(map(towns.count, towns))
        assert row["town"] is None if most == 1 else towns.count(row["town"]) == most
    assert None in done.vertices["age"].to_pylist()  # a mean of too few is the value of somebody
    assert any("have fewer than 4 values" in note.text for note in done.report.notes)
    assert done.vertices.column_names[7:] == ["age", "school", "town"]
    assert done.report.public().attributes == {"age": "mean", "school": "median", "town": "mode"}


def test_attributes_of_a_table() -> None:
    import pandas as pd

    graph = nx.path_graph(12)
    table = pd.DataFrame({"who": range(11, 0, -1), "height": [float(150 + v) for v in range(11, 0, -1)]})
    done = release(graph, 4, solution=chunks(graph, 4), attributes=table, vertex="who", numeric=["height"], seed=0)
    found = dict(zip(published_order(3, 0), done.vertices["height"].to_pylist(), strict=True))
    assert found == {0: None, 1: 156.0, 2: 160.0}  # vertex 0 has no row, so three values are left; means to even
    assert any("1 vertices have no row" in note.text for note in done.report.notes)


def test_means_have_the_decimals_that_as_many_vertices_use_as_a_cluster_holds() -> None:
    graph = nx.path_graph(12)
    for finely, mean in ((4, 5.575), (3, 5.6)):
        heights = [4.0, 5.2, 6.1, 7.0, *([1.125] * finely), *([2.5] * (8 - finely))]
        table = pa.table({"vertex": list(range(12)), "height": heights})
        done = release(graph, 4, solution=chunks(graph, 4), attributes=table, numeric=["height"], seed=0)
        published = dict(zip(published_order(3, 0), done.vertices["height"].to_pylist(), strict=True))
        assert published[0] == mean, finely


def test_bad_tables_of_attributes_are_refused() -> None:
    import pandas as pd

    graph = nx.path_graph(8)
    for rows, said in (([0, 1, 99], "1 vertices of the attributes are not in"), ([0, 0, 1], "more than one row")):
        table = pd.DataFrame({"vertex": rows, "height": [1.0, 2.0, 3.0]})
        with pytest.raises(InputError, match=said):
            release(graph, 4, solution=chunks(graph, 4), attributes=table, numeric=["height"])
    with pytest.raises(InputError, match="no column 'vertex'"):
        release(graph, 4, solution=chunks(graph, 4), attributes=pd.DataFrame({"x": [1]}), numeric=["x"])
    with pytest.raises(InputError, match="a table with a row for each vertex"):
        release(graph, 4, solution=chunks(graph, 4), attributes=3, numeric=["x"])


def test_igraph_and_its_attributes() -> None:
    import igraph

    graph = people(20)
    other = igraph.Graph.from_networkx(graph)
    other.vs["name"] = list(graph)
    options: dict[str, Any] = {"solution": chunks(graph, 4), "seed": 3, "numeric": ["age"], "unordered": ["town"]}
    one, two = (release(network, 4, **options) for network in (graph, other))
    assert one.vertices.equals(two.vertices)
    assert one.edges.equals(two.edges)


def test_names_that_differ_in_their_type_alone_have_no_attributes() -> None:
    graph = nx.relabel_nodes(nx.path_graph(6), {5: "1"})
    table = pd.DataFrame({"vertex": ["0", "1"], "age": [1, 2]})
    with pytest.raises(InputError, match="names that differ as text"):
        release(graph, 3, attributes=table, numeric=["age"])
