"""Networks in files: what is read, what is refused, and that files appear whole or not at all."""

from __future__ import annotations

import contextlib
import pickle
from pathlib import Path
from typing import Any

import networkx as nx
import pandas as pd
import pytest

from covey import Partition
from covey.errors import InputError, OutputError, RefusedError
from covey.network import check, degree_anonymous, formats
from covey.network.formats import FORMATS, network_format, read_network
from covey.network.publish import files
from covey.network.publish.release import release
from covey.network.reading import as_network
from tests.network.publish.releases import chunks, people

KINDS = ("graphml", "gexf", "gml", "csv", "tsv", "parquet", "arrow", "jsonl")
assert set(KINDS) == set(FORMATS)


def save(graph: Any, path: Path) -> Path:
    table = nx.to_pandas_edgelist(graph)
    writers: dict[str, Any] = {
        ".graphml": lambda: nx.write_graphml(graph, path),
        ".gexf": lambda: nx.write_gexf(graph, path),
        ".gml": lambda: nx.write_gml(graph, path),
        ".csv": lambda: table.to_csv(path, index=False),
        ".tsv": lambda: table.to_csv(path, index=False, sep="\t"),
        ".parquet": lambda: table.to_parquet(path),
        ".arrow": lambda: table.to_feather(path),
        ".jsonl": lambda: table.to_json(path, orient="records", lines=True),
    }
    writers[path.suffix]()
    return path


@pytest.mark.parametrize("kind", KINDS)
def test_every_format_is_read(tmp_path: Path, kind: str) -> None:
    graph = people(12)
    for number, (one, other) in enumerate(graph.edges):
        graph.edges[one, other]["metres"] = number / 4
    loaded = read_network(save(graph, tmp_path / f"network.{kind}"), length="metres")
    assert set(loaded.network.names) == set(graph)
    tails, heads, lengths = loaded.network.edges()
    assert lengths is not None
    names = loaded.network.names
    found = {frozenset((names[a], names[b])): c for a, b, c in zip(tails, heads, lengths, strict=True)}
    assert found == {frozenset(edge): graph.edges[edge]["metres"] for edge in graph.edges}
    if kind in ("graphml", "gexf", "gml"):
        assert {"age", "town", "school", "phone"} <= set(loaded.attributes)
        towns = dict(zip(names, loaded.attributes["town"], strict=True))
        assert towns == dict(graph.nodes(data="town"))


@pytest.mark.parametrize("kind", KINDS)
def test_every_format_is_written_and_read_back(tmp_path: Path, kind: str) -> None:
    graph = people(40, density=0.3)
    done = release(graph, 5, solution=chunks(graph, 5), numeric=["age"], unordered=["town"])
    done.write(tmp_path / f"out.{kind}", samples=2)
    expected = {f"out{middle}.{kind}" for middle in ("", "-sample-1", "-sample-2")}
    if kind not in ("graphml", "gexf", "gml"):
        expected |= {f"out{middle}-edges.{kind}" for middle in ("", "-sample-1", "-sample-2")}
    assert {path.name for path in tmp_path.iterdir()} == expected
    if kind == "csv":
        table = pd.read_csv(tmp_path / "out.csv")
        assert table["size"].sum() == 40
        assert len(pd.read_csv(tmp_path / "out-edges.csv")) == done.edges.num_rows
    if kind in ("graphml", "gml", "gexf"):
        back = read_network(tmp_path / f"out.{kind}").network
        assert (back.n, back.m) == (done.vertices.num_rows, done.edges.num_rows)


def test_two_writings_are_the_same_bytes(tmp_path: Path) -> None:
    graph = people(40)
    done = [release(graph, 5, solution=chunks(graph, 5), seed=1) for _ in range(2)]
    for kind in KINDS:
        for number, one in enumerate(done):
            one.write(tmp_path / f"{number}.{kind}", report=tmp_path / f"{number}.html" if kind == "csv" else None)
        assert (tmp_path / f"0.{kind}").read_bytes() == (tmp_path / f"1.{kind}").read_bytes()
    assert (tmp_path / "0.html").read_bytes() == (tmp_path / "1.html").read_bytes()


BOMB = """<?xml version="1.0"?>
<!DOCTYPE graphml [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault="undirected">
<node id="&b;"/><node id="2"/><edge source="&b;" target="2"/></graph></graphml>"""


@pytest.mark.parametrize("kind", ["graphml", "gexf"])
def test_xml_with_entities_is_refused(tmp_path: Path, kind: str) -> None:
    (tmp_path / f"bomb.{kind}").write_text(BOMB)
    with pytest.raises(InputError, match="declares a document type"):
        read_network(tmp_path / f"bomb.{kind}")
    outside = BOMB.replace(
        '[<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]', 'SYSTEM "file:///etc/passwd"'
    )
    (tmp_path / f"outside.{kind}").write_text(outside.replace("&b;", "1"), encoding="utf-8")
    with pytest.raises(InputError, match="declares a document type"):
        read_network(tmp_path / f"outside.{kind}")


class Boom:
    """What runs when it is unpickled."""

    def __reduce__(self) -> tuple[Any, ...]:
        return (Path("ran").touch, ())


@pytest.mark.parametrize("suffix", ["pickle", "pkl", "gpickle", "p"])
def test_pickles_are_never_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / f"network.{suffix}"
    path.write_bytes(pickle.dumps(Boom()))
    for ask in (lambda: read_network(path), lambda: network_format(path, None, "the output")):
        with pytest.raises(InputError, match="pickle"):
            ask()
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    "links", ["*Arcs\n1 2\n*Edges\n2 3", "*Edges\n1 2\n*arcs\n2 3", "*Arcslist\n1 2 3", "*Edgeslist\n1 2 3"]
)
def test_pajek_with_sections_that_would_be_misread_is_refused(tmp_path: Path, links: str) -> None:
    path = tmp_path / "some.net"
    path.write_text(f'*Vertices 3\n1 "Zaphod"\n2 "Ford"\n3 "Arthur"\n{links}\n')
    with pytest.raises(InputError, match="several sections of links, or lists of them"):
        read_network(path)
    path.write_text('*Vertices 3\n1 "Zaphod"\n2 "Ford"\n3 "Arthur"\n*Edges\n1 2\n2 3\n')
    assert read_network(path).network.m == 2


def test_bad_networks_are_refused_without_their_names(tmp_path: Path) -> None:
    lengths = [("negative", -1.0), ("nan", float("nan")), ("text", "far")]
    cases: list[tuple[Path, str | None, str]] = []
    for name, value in lengths:
        table = pd.DataFrame({"source": ["Zaphod", "Ford"], "target": ["Ford", "Arthur"], "metres": [value, 1.0]})
        table.to_csv(tmp_path / f"{name}.csv", index=False)
        cases.append(
            (tmp_path / f"{name}.csv", "metres", {"negative": "negative", "nan": "missing", "text": "no numbers"}[name])
        )
    (tmp_path / "broken.graphml").write_text("<graphml><node id='Zaphod'>")
    (tmp_path / "broken.gml").write_text("graph [ node [ id Zaphod")
    (tmp_path / "network.docx").write_text("Zaphod")
    cases += [(tmp_path / "broken.graphml", None, "no graphml"), (tmp_path / "broken.gml", None, "no gml")]
    cases += [(tmp_path / "absent.gml", None, "there is no file"), (tmp_path / "network.docx", None, "tells no format")]
    for path, length, said in cases:
        with pytest.raises(InputError, match=said) as caught:
            read_network(path, length)
        assert "Zaphod" not in str(caught.value)


def test_loops_and_repeated_edges_are_counted(tmp_path: Path) -> None:
    graph = nx.MultiGraph([(0, 1), (0, 1), (1, 2), (2, 2), (2, 3)])
    loaded = read_network(save(graph, tmp_path / "multi.graphml"))
    assert (loaded.network.m, loaded.network.loops, loaded.network.repeated) == (3, 1, 1)
    with pytest.warns(UserWarning, match="lower is 2"):
        done = release(loaded, 2, solution=chunks(nx.path_graph(4), 2))
    assert sum("left out" in note.text for note in done.report.notes if not note.public) == 2
    assert sum("left out" in note.text for note in done.report.public().notes) == 1


def test_nothing_is_written_where_something_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    graph = people(40)
    done = release(graph, 5, solution=chunks(graph, 5))
    (tmp_path / "there.json").write_text("{}")
    with pytest.raises(OutputError, match="exists already"):
        done.write(tmp_path / "out.csv", certificate=tmp_path / "there.json")
    with pytest.raises(OutputError, match="'internal' in it"):
        done.write(tmp_path / "out.csv", internal=tmp_path / "secret.json")
    with pytest.raises(OutputError, match="same name"):
        done.write(tmp_path / "out.csv", certificate=tmp_path / "out-edges.csv")
    with pytest.raises(OutputError, match="cannot be written as 'xlsx'"):
        done.write(tmp_path / "out.xlsx")
    with pytest.raises(OutputError, match=".html, .json or .txt"):
        done.write(tmp_path / "out.csv", report=tmp_path / "report.pdf")
    with pytest.raises(OutputError, match="folder does not exist"):
        done.write(tmp_path / "nowhere" / "out.csv")
    write = formats.write_part

    def spoiled(vertices: Any, edges: Any, path: Path, *rest: Any, **how: Any) -> None:
        write(vertices.set_column(1, "size", [[4] * vertices.num_rows]), edges, path, *rest, **how)

    monkeypatch.setattr(files, "write_part", spoiled)
    for kind in KINDS:
        with pytest.raises(RefusedError):
            done.write(tmp_path / f"out.{kind}", samples=1)
    assert [path.name for path in tmp_path.iterdir()] == ["there.json"]


def test_what_was_written_is_recounted(tmp_path: Path) -> None:
    graph = people(40)
    done = release(graph, 5, solution=chunks(graph, 5))
    object.__setattr__(done, "lower", 6)
    with pytest.raises(RefusedError, match="fewer than 6"):
        done.write(tmp_path / "out.graphml")
    assert not list(tmp_path.iterdir())


def test_names_that_a_format_cannot_hold(tmp_path: Path) -> None:
    graph = people(20)
    nx.set_node_attributes(graph, 1.5, "shoe size")
    done = release(graph, 5, solution=chunks(graph, 5), numeric=["shoe size"])
    with pytest.raises(OutputError, match="shoe size"):
        done.write(tmp_path / "out.gml")
    done.write(tmp_path / "out.graphml")
    done.write(tmp_path / "out.gexf")


def test_formulas_in_tables_are_disarmed(tmp_path: Path) -> None:
    graph = people(20)
    nx.set_node_attributes(graph, "=1+1", "town")
    done = release(graph, 5, solution=chunks(graph, 5), unordered=["town"])
    done.write(tmp_path / "out.csv")
    assert set(pd.read_csv(tmp_path / "out.csv")["town"]) == {"'=1+1"}


ODD = [
    "\x00",
    "\x0b",
    "\ud7ff\ue000",
    "a\nb",
    "a\r\nb",
    ' "x" ',
    "&amp;",
    "&#65;",
    "<b>",
    "\U0001f600",
    "1e5",
    "007",
    "nan",
    "None",
    "",
    " ",
    "\ufffe",
    "+1",
    "'x",
]


@pytest.mark.parametrize("kind", KINDS)
def test_odd_texts_are_written_as_they_are_or_not_at_all(tmp_path: Path, kind: str) -> None:
    graph = people(20)
    written = 0
    for number, text in enumerate(ODD):
        nx.set_node_attributes(graph, text, "town")
        done = release(graph, 5, solution=chunks(graph, 5), unordered=["town"])
        target = tmp_path / f"{number}.{kind}"
        with contextlib.suppress(OutputError, RefusedError):
            done.write(target)
            written += 1
        assert target.exists() or not list(tmp_path.glob(f"{number}*"))
    assert written >= len(ODD) - 8
    assert not list(tmp_path.glob(".covey-*"))


@pytest.mark.parametrize("kind", KINDS)
def test_a_network_without_links_between_clusters(tmp_path: Path, kind: str) -> None:
    done = release(
        nx.disjoint_union(nx.complete_graph(5), nx.complete_graph(5)), 5, solution=Partition([0] * 5 + [1] * 5)
    )
    assert done.edges.num_rows == 0
    done.write(tmp_path / f"out.{kind}", report=tmp_path / "report.html")
    assert (tmp_path / f"out.{kind}").exists()


@pytest.mark.parametrize("kind", ["csv", "tsv", "parquet", "arrow", "jsonl"])
def test_a_published_network_in_two_tables_is_checked_as_the_same_in_one_file(tmp_path: Path, kind: str) -> None:
    graph = people(60, 3)
    done = release(graph, 5, solution=chunks(graph, 6), keep=["degrees"], numeric=["age"], seed=1, ledger=False)
    one, two = tmp_path / "out.graphml", tmp_path / f"out.{kind}"
    done.write(one, ledger=False)
    done.write(two, ledger=False)
    assert check(two, 7) == check(one, 7)
    assert {found.least for found in check(two, 7)} == {6}
    found = read_network(two)
    assert set(found.attributes) >= {"size", "edges_low", "age"}
    assert (found.network.n, found.network.m) == (done.vertices.num_rows, done.edges.num_rows)
    edges = tmp_path / f"out-edges.{kind}"
    with pytest.raises(InputError, match=f"links between the clusters of a published network.*'out.{kind}'"):
        read_network(edges)
    edges.unlink()
    with pytest.raises(InputError, match=f"no file 'out-edges.{kind}' beside it"):
        check(two, 5)


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_samples_and_anonymous_degrees_in_two_tables(tmp_path: Path, kind: str) -> None:
    graph = people(60, 3)
    graph.add_nodes_from(f"alone {v}" for v in range(5))
    made = degree_anonymous(graph, 3, seed=1, ledger=False)
    sample = release(graph, 5, solution=chunks(graph, 5), seed=1, ledger=False).sample()
    for done, name in ((made, "degrees"), (sample, "sample")):
        one, two = tmp_path / f"{name}.graphml", tmp_path / f"{name}.{kind}"
        for target in (one, two):
            done.write(target)
        assert read_network(two).network.n == 65
        assert check(two, 4) == check(one, 4)


@pytest.mark.parametrize("columns", ["id,from,to", "weight,target,source", "id,Source,Target", "since,TO,FROM"])
def test_ends_that_are_named_are_the_ends(tmp_path: Path, columns: str) -> None:
    lines = [f"{v + 100},{v},{(v + 1) % 8}" for v in range(8)]
    (tmp_path / "ring.csv").write_text("\n".join([columns, *lines]) + "\n")
    assert read_network(tmp_path / "ring.csv").network.n == 8


def test_a_column_that_numbers_rows_is_no_end() -> None:
    rows = [(v + 100, v, (v + 1) % 8) for v in range(8)]
    for names in (["id", "person", "friend"], ["Edge_ID", "a", "b"]):
        table = pd.DataFrame(rows, columns=names)
        with pytest.raises(InputError, match="numbers rows; needed: columns named source and target"):
            as_network(table)
    assert as_network(pd.DataFrame(rows, columns=["a", "b", "c"])).n == 16
    assert as_network(pd.DataFrame([row[1:] for row in rows], columns=["id", "friend"])).n == 8
