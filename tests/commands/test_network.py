"""`covey network`."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING, Any

import networkx as nx
import pandas as pd
import pytest

import covey
from covey import cli
from covey.network.formats import read_network
from tests.commands.running import fails, program

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def contacts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a network in it, which is the current one."""
    edges, people = covey.datasets.load_contacts()
    edges.to_csv(tmp_path / "contacts.csv", index=False)
    people.to_csv(tmp_path / "people.csv", index=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


ATTRIBUTES = [
    "--attributes",
    "people.csv",
    "--numeric",
    "age",
    "--ordered",
    "health=bad<fair<good",
    "--unordered",
    "job",
]
FILES = [
    "--report",
    "report.html",
    "--internal-report",
    "internal.html",
    "--certificate",
    "c.json",
    "--internal",
    "internal.json",
]


def published(folder: Path) -> str:
    """The bytes of everything that may be handed out."""
    texts = [
        path.read_bytes().decode("utf-8", "replace")
        for path in sorted(folder.iterdir())
        if "internal" not in path.name and path.name not in ("contacts.csv", "people.csv")
    ]
    assert texts
    return "\n".join(texts)


def test_a_release_with_everything(contacts: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["network", "release", "contacts.csv", "-o", "out.graphml", "--lower", "5", *ATTRIBUTES, *FILES]
    assert cli.main([*command, "--samples", "2"]) == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert "smallest cluster: 5" in err
    assert (
        "written: out.graphml, out-sample-1.graphml, out-sample-2.graphml, report.html, internal.html, c.json, internal.json"
        in err
    )
    back = nx.read_graphml("out.graphml")
    assert min(size for _, size in back.nodes(data="size")) >= 5
    assert sum(size for _, size in back.nodes(data="size")) == 240
    assert {"age", "health", "job"} <= {name for _, data in back.nodes(data=True) for name in data}
    assert read_network("out-sample-2.graphml").network.n == 240
    names = set(pd.read_csv("people.csv")["vertex"])
    everything = published(contacts) + err
    assert not [name for name in names if name in everything]
    internal = json.loads((contacts / "internal.json").read_text())
    assert str(internal["seed"]) not in everything
    assert internal["edges"] == len(pd.read_csv("contacts.csv"))
    assert "The original network" in (contacts / "internal.html").read_text()
    assert "The original network" not in (contacts / "report.html").read_text()
    assert oct((contacts / "internal.json").stat().st_mode)[-3:] == "600"


def test_the_seed_replays(contacts: Path) -> None:
    base = ["network", "release", "contacts.csv", "--lower", "5", "--quiet"]
    assert cli.main([*base, "-o", "one.csv", "--internal", "internal.json"]) == 0
    seed = json.loads((contacts / "internal.json").read_text())["seed"]
    assert cli.main([*base, "-o", "two.csv", "--seed", str(seed)]) == 0
    assert cli.main([*base, "-o", "three.csv"]) == 0
    for part in ("", "-edges"):
        assert (contacts / f"one{part}.csv").read_bytes() == (contacts / f"two{part}.csv").read_bytes()
    assert (contacts / "one-edges.csv").read_bytes() != (contacts / "three-edges.csv").read_bytes()


def test_every_option_arrives(contacts: Path) -> None:
    few = pd.DataFrame({"source": range(23), "target": range(1, 24), "metres": 1.5})
    few.to_csv("few.tsv", index=False, sep="\t")
    options = ["--upper", "9", "--distance", "9000", "--objective", "sum", "--length", "metres", "--time-limit", "inf"]
    options += ["--counts", "suppress", "--threshold", "4", "--seed", "7", "--internal", "internal.json", "--quiet"]
    assert cli.main(["network", "release", "few.tsv", "-o", "out.parquet", "--lower", "6", *options]) == 0
    told = json.loads((contacts / "internal.json").read_text())
    asked = {"upper": 9, "distance": 9000.0, "objective": "sum", "time_limit": None, "connected": False}
    assert {name: told["asked"][name] for name in asked} == asked
    assert told["loss"] == 1.5 * round(told["loss"] / 1.5)  # in metres
    assert told["seed"] == 7
    assert "below 4" in told["counts"]
    assert pd.read_parquet("out.parquet")["size"].between(6, 9).all()


def test_connected_clusters(contacts: Path) -> None:
    options = ["--lower", "5", "--upper", "9", "--connected", "--method", "carving", "--options", "seed=3", "--quiet"]
    assert cli.main(["network", "release", "contacts.csv", "-o", "out.csv", *options, "--certificate", "c.json"]) == 0
    assert json.loads((contacts / "c.json").read_text())["clusters_are_connected"]
    table = pd.read_csv("out.csv")
    assert (table["edges_low"] >= table["size"] - 1).all()


def test_degrees(contacts: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["network", "degree", "contacts.csv", "-o", "out.gml", "-k", "5", *FILES]) == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert "k achieved: " in err
    counted = pd.Series([degree for _, degree in nx.read_gml("out.gml").degree]).value_counts()
    assert counted.min() >= 5
    names = set(pd.read_csv("people.csv")["vertex"])
    everything = published(contacts) + err
    assert not [name for name in names if name in everything]


def test_an_answer(contacts: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["network", "microaggregate", "contacts.csv", "--lower", "4", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["status"] in ("optimal", "feasible")
    assert told["smallest"] >= 4
    assert "members" not in told
    assert cli.main(["network", "microaggregate", "contacts.csv", "--lower", "4", "--name-vertices"]) == 0
    out = capsys.readouterr().out
    names = set(pd.read_csv("people.csv")["vertex"])
    assert all(name in out for name in names)
    assert out.startswith("status: ")
    assert contacts.exists()


@pytest.fixture
def split(contacts: Path) -> Path:
    """A network with a component of two."""
    edges = pd.read_csv("contacts.csv")
    more = pd.DataFrame({"source": ["Zaphod"], "target": ["Trillian"], "metres": [1.0]})
    pd.concat([edges, more]).to_csv("contacts.csv", index=False)
    return contacts


def test_what_cannot_be_is_said_without_names(split: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["network", "release", "contacts.csv", "-o", "out.csv", "--lower", "5"]
    said = fails(capsys, *command)
    assert "2 vertices, fewer than lower = 5" in said
    assert "Zaphod" not in said
    assert "Zaphod" in fails(capsys, *command, "--name-vertices")
    assert cli.main(["network", "microaggregate", "contacts.csv", "--lower", "5"]) == 1
    out = capsys.readouterr().out
    assert "infeasible" in out
    assert "Zaphod" not in out
    assert not (split / "out.csv").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["release", "absent.csv", "-o", "o.csv", "--lower", "5"], "no file"),
        (["release", "contacts.csv", "-o", "o.csv"], "lower"),
        (["release", "contacts.csv", "-o", "o.pickle", "--lower", "5"], "pickle"),
        (["release", "graph.pkl", "-o", "o.csv", "--lower", "5"], "pickle"),
        (["release", "contacts.csv", "-o", "people.csv", "--lower", "5"], "exists already"),
        (["release", "contacts.csv", "-o", "o.csv", "--lower", "5", "--upper", "4"], "upper is 4"),
        (["release", "contacts.csv", "-o", "o.csv", "--lower", "1"], "lower is 1"),
        (["release", "contacts.csv", "-o", "o.csv", "--lower", "5", "--length", "miles"], "miles"),
        (["release", "contacts.csv", "-o", "o.csv", "--lower", "5", "--base", "1"], "exact"),
        (["release", "contacts.csv", "-o", "o.csv", "--lower", "5", "--internal", "c.json"], "internal"),
        (["release", "contacts.csv", "-o", "o.csv", "--lower", "5", "--samples", "-1"], "samples"),
        (["release", "contacts.csv", "-o", "o.csv", "--lower", "5", "--numeric", "shoes"], "shoes"),
        (["release", "contacts.csv", "-o", "o.csv", "--lower", "5", "--ordered", "bad<good"], "ATTR=LOW"),
        (
            ["release", "contacts.csv", "-o", "o.csv", "--lower", "5", "--attributes", "people.csv", "--vertex", "who"],
            "'who'",
        ),
        (
            ["release", "contacts.csv", "-o", "o.csv", "--lower", "5", *ATTRIBUTES[:2], "--unordered", "vertex"],
            "vertex",
        ),
        (["degree", "contacts.csv", "-o", "o.csv", "-k", "1"], "k is 1"),
        (["degree", "contacts.csv", "-o", "o.csv", "-k", "999"], "at most 240"),
        (["microaggregate", "contacts.csv", "--lower", "0"], "lower is 0"),
        (["microaggregate", "contacts.csv", "--lower", "3", "--method", "magic"], "magic"),
    ],
)
def test_mistakes_are_one_line(
    contacts: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    assert said in fails(capsys, "network", *arguments)
    assert not (contacts / "o.csv").exists()


def test_an_unknown_vertex_of_the_attributes(contacts: Path, capsys: pytest.CaptureFixture[str]) -> None:
    people = pd.read_csv("people.csv")
    people.loc[0, "vertex"] = "Zaphod"
    people.to_csv("people.csv", index=False)
    said = fails(capsys, "network", "release", "contacts.csv", "-o", "o.csv", "--lower", "5", *ATTRIBUTES)
    assert "1 vertices of the attributes are not in the network" in said
    assert "Zaphod" not in said
    assert contacts.exists()


def test_the_program(contacts: Path) -> None:
    command = [program(), "network", "release", "contacts.csv", "-o", "out.csv", "--lower", "6", "--quiet"]
    done: Any = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert (contacts / "out-edges.csv").exists()


def test_a_comparison_of_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "pairs.graphml"
    nx.write_graphml(nx.Graph([(0, 1), (2, 3), (4, 5)]), path)
    assert cli.main(["network", "compare", str(path), "--lower", "3", "--samples", "1"]) == 1
    assert capsys.readouterr().out.count("\n") == 4
    assert cli.main(["network", "compare", str(path), "--lower", "2,3", "--samples", "1"]) == 0
