"""Lists of edges whose first line is an edge already: none is lost in silence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import networkx as nx
import pytest

from covey import cli
from covey.errors import InputError, OptionError
from covey.network import degree_anonymous, release
from covey.network.formats import read_network

if TYPE_CHECKING:
    from pathlib import Path

RING = [(f"Zoe{v}", f"Zoe{(v + 1) % 8}") for v in range(8)]
SEPARATORS = {".csv": ",", ".tsv": "\t", ".txt": ";"}


def written(path: Path, edges: list[Any], *first: str) -> Path:
    separator = SEPARATORS[path.suffix]
    lines = [*first, *(separator.join(map(str, edge)) for edge in edges)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("suffix", SEPARATORS)
@pytest.mark.parametrize(
    "edges",
    [RING, [(v, (v + 1) % 8) for v in range(8)], [(*edge, 2.5) for edge in RING], [("Zoe", 1), (2, 3), (2, 1)]],
    ids=["names", "numbers", "lengths", "mixed"],
)
def test_a_first_line_that_looks_like_an_edge_is_an_error_that_asks(
    tmp_path: Path, suffix: str, edges: list[Any]
) -> None:
    path = written(tmp_path / f"ring{suffix}", edges)
    for read in (read_network, lambda place: release(place, 3), lambda place: degree_anonymous(place, 2)):
        with pytest.raises(InputError, match=r"--no-header") as caught:
            read(path)
        assert "Zoe" not in str(caught.value)
    found = read_network(path, "column3" if len(edges[0]) == 3 else None, header=False).network
    assert found.m == len(edges)
    assert read_network(path, header=True).network.m == len(edges) - 1


@pytest.mark.parametrize("first", ["source,target", "target,source", "from,to", "person,friend"])
def test_names_of_columns_are_no_edge(tmp_path: Path, first: str) -> None:
    assert read_network(written(tmp_path / "ring.csv", RING, first)).network.m == 8


def test_known_names_are_names_whatever_the_vertices_are_called(tmp_path: Path) -> None:
    edges = [("source", "Zoe0"), *RING]
    assert read_network(written(tmp_path / "ring.csv", edges, "source,target")).network.m == 9


def test_it_has_no_effect_elsewhere_and_says_so(tmp_path: Path) -> None:
    ring = nx.cycle_graph(8)
    nx.write_graphml_xml(ring, tmp_path / "ring.graphml")
    for given in (tmp_path / "ring.graphml", ring):
        with pytest.raises(OptionError, match="header is given"):
            release(given, 3, header=False)
        with pytest.raises(OptionError, match="header is given"):
            degree_anonymous(given, 2, header=True)


COMMANDS = {
    "release": ["--lower", "4", "--method", "carving", "-o", "out.graphml"],
    "degree": ["-k", "2", "-o", "out.graphml"],
    "microaggregate": ["--lower", "4", "--json"],
}


@pytest.mark.parametrize("command", COMMANDS)
def test_on_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "ring.csv", RING)
    line = ["network", command, "ring.csv", *COMMANDS[command]]
    assert cli.main(line) == 2
    said = capsys.readouterr().err
    assert "--no-header" in said
    assert "Zoe" not in said
    assert not (tmp_path / "out.graphml").exists()
    assert cli.main([*line, "--no-header"]) == 0
