"""The recipe of a network: the same choices by command, Python and file make the same release."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import networkx as nx
import pytest

from covey import cli
from covey.errors import InputError, OptionError
from covey.network import NetworkRecipe, read_network_recipe, release
from tests.network.publish.releases import people

if TYPE_CHECKING:
    from pathlib import Path

EVERYTHING: dict[str, Any] = {
    "lower": 4,
    "upper": 9,
    "distance": 3.5,
    "connected": True,
    "objective": "sum",
    "length": "km",
    "header": False,
    "directed": True,
    "follow_directions": True,
    "method": "carving",
    "time_limit": None,
    "options": {"seed": 3},
    "small_components": "suppress",
    "vertex": "who",
    "numeric": ["age"],
    "ordered": {"school": ["none", "some", "all"]},
    "unordered": ["town"],
    "counts": "suppress",
    "threshold": 2,
    "keep": ["degrees"],
    "seed": 2**200 + 1,
}


def test_every_choice_survives_its_file() -> None:
    recipe = NetworkRecipe(**EVERYTHING)
    assert NetworkRecipe.from_toml(recipe.to_toml()) == recipe
    assert NetworkRecipe.from_dict(json.loads(json.dumps(recipe.as_dict()))) == recipe
    assert NetworkRecipe(lower=3).to_toml() == "lower = 3\n"


def test_a_release_is_made_again_from_its_recipe(tmp_path: Path) -> None:
    graph = people(40, density=0.2)
    how: dict[str, Any] = {"connected": True, "method": "carving", "numeric": ["age"], "counts": "suppress"}
    done = release(graph, 4, **how, ledger=False)
    again = release(graph, recipe=done.recipe, ledger=False)
    assert done.vertices.equals(again.vertices)
    assert done.edges.equals(again.edges)
    done.write(tmp_path / "out.csv", internal=tmp_path / "internal.json", certificate=tmp_path / "public.json")
    assert read_network_recipe(tmp_path / "internal.json") == done.recipe
    assert done.recipe.seed is not None
    assert "recipe" not in json.loads((tmp_path / "public.json").read_text())
    internal = json.loads((tmp_path / "internal.json").read_text())
    other = release(nx.relabel_nodes(graph, {"Zaphod-7919": "Zoe"}), recipe=done.recipe, ledger=False)
    assert internal["input"]["keyed_hash"] == again.certificate.internal["input"]["keyed_hash"]
    assert internal["input"]["keyed_hash"] != other.certificate.internal["input"]["keyed_hash"]


def test_what_is_given_beside_a_recipe_changes_it() -> None:
    recipe = NetworkRecipe(lower=3, method="carving", counts="suppress", seed=1, time_limit=5.0)
    done = release(nx.karate_club_graph(), 5, recipe=recipe, ledger=False)
    assert done.recipe == recipe.with_changes(lower=5)
    with pytest.raises(OptionError, match="lower is not given"):
        release(nx.karate_club_graph())
    with pytest.raises(OptionError, match="recipe is a str"):
        release(nx.karate_club_graph(), recipe="a.toml")  # type: ignore[arg-type]


def test_the_command_takes_a_recipe_and_options_beside_it(tmp_path: Path) -> None:
    nx.write_edgelist(nx.karate_club_graph(), tmp_path / "karate.edgelist")
    recipe = NetworkRecipe(lower=3, method="carving", connected=True, seed=5)
    (tmp_path / "r.toml").write_text(recipe.to_toml(), encoding="utf-8")
    command = [
        "network",
        "release",
        str(tmp_path / "karate.edgelist"),
        "--recipe",
        str(tmp_path / "r.toml"),
        "--no-ledger",
    ]
    assert cli.main([*command, "-o", str(tmp_path / "a.csv"), "--quiet"]) == 0
    release(str(tmp_path / "karate.edgelist"), recipe=recipe, ledger=False).write(tmp_path / "b.csv", ledger=False)
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()
    internal = tmp_path / "internal.json"
    assert (
        cli.main([*command, "-o", str(tmp_path / "c.csv"), "--lower", "5", "--internal", str(internal), "--quiet"]) == 0
    )
    assert read_network_recipe(internal) == recipe.with_changes(lower=5)


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("lower = ", "no TOML|not TOML"),
        ("upper = 5", "lower is not given"),
        ("lower = 3\nuper = 5", "did you mean 'upper'"),
        ("lower = 3\nseed = 'x'", "seed of the recipe"),
    ],
)
def test_what_is_no_recipe(tmp_path: Path, text: str, match: str) -> None:
    (tmp_path / "r.toml").write_text(text, encoding="utf-8")
    with pytest.raises((InputError, OptionError), match=match):
        read_network_recipe(tmp_path / "r.toml")
    with pytest.raises(InputError, match="cannot be read"):
        read_network_recipe(tmp_path / "none.toml")
    (tmp_path / "r.json").write_text("{}", encoding="utf-8")
    with pytest.raises(InputError, match="no internal certificate"):
        read_network_recipe(tmp_path / "r.json")
