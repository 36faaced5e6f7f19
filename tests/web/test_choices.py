"""From what is chosen on the page to a recipe; sentences; drawings; colours."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from covey.columns.profile import Column
from covey.errors import CoveyError
from covey.methods import METHODS as ALL_METHODS
from covey.recipe.choice import choices_of
from covey.recipe.recipe import Recipe
from covey.recipe.roles import Roles
from covey.web.choices import (
    DECLARED,
    KINDS,
    METHODS,
    MISSING,
    OTHERS,
    ROLES,
    SMALL,
    UNSAID,
    Settings,
    declare,
    give_role,
    recipe_of,
)
from covey.web.drawings import Plane, bars, before_and_after, ticks
from covey.web.jobs import open_table
from covey.web.sentences import figures
from covey.web.source import example, from_command_line, from_upload
from covey.web.theme import DARK, LIGHT, style
from tests.io.many import people, split

WHOLE = Column("age", "whole numbers", 10, 5, 0, ())
GAPS = Column("income", "numbers", 10, 5, 3, ())


def test_the_recipe_has_what_was_chosen_and_nothing_else() -> None:
    roles = {
        "age": "quasi",
        "income": "quasi",
        "name": "drop",
        "illness": "sensitive",
        "who": "unit",
        "w": "weight",
        "x": "keep",
    }
    settings = Settings(7, "mdav", 2, 0.4, "coordinate", "suppress", ("x", "gone"))
    assert recipe_of(roles, settings, [WHOLE, GAPS]) == Recipe.from_dict(
        {
            "k": 7,
            "method": "mdav",
            "quasi": ["age", "income"],
            "drop": ["name"],
            "sensitive": ["illness"],
            "unit": "who",
            "weight": "w",
            "keep": ["x"],
            "missing": "coordinate",
            "small_strata": "suppress",
            "l_diversity": 2,
            "t_closeness": 0.4,
            "accept": ["x"],
        }
    )


def test_choices_without_effect_stay_out_of_the_recipe() -> None:
    settings = Settings(3, "auto", 2, 0.4, "coordinate", "suppress", ("age",))
    assert recipe_of({"age": "quasi"}, settings, [WHOLE]) == Recipe.from_dict({"k": 3, "quasi": ["age"]})
    stratified = recipe_of({"age": "quasi", "land": "strata"}, settings, [WHOLE])
    assert (stratified.missing, stratified.small_strata) == ("error", "suppress")


def test_there_is_one_unit_and_one_weight() -> None:
    roles = {"a": "unit", "b": "quasi", "c": "weight"}
    give_role(roles, "b", "unit")
    give_role(roles, "a", "weight")
    assert roles == {"a": "weight", "b": "unit", "c": "drop"}
    give_role(roles, "a", "quasi")
    give_role(roles, "b", "quasi")
    assert roles == {"a": "quasi", "b": "quasi", "c": "drop"}


def test_all_that_is_offered_exists() -> None:
    assert set(METHODS) <= {"auto", *ALL_METHODS}
    for role in ROLES:
        recipe_of({"age": "quasi", "other": role}, Settings(), [WHOLE])
    for missing in MISSING:
        for small in SMALL:
            recipe_of({"income": "quasi"}, Settings(missing=missing, small_strata=small), [GAPS])


def test_the_page_has_every_choice() -> None:
    every = choices_of(Roles, Recipe)
    offered = {*ROLES, *(field.name for field in fields(Settings)), *OTHERS, "drop_rest"} - {"others"}
    assert offered == {name for name, found in every.items() if found.is_option}
    assert list(ROLES) == [*dict.fromkeys((*ROLES, *choices_of(Roles)))]
    for name, sentences in (("missing", MISSING), ("small_strata", SMALL)):
        assert set(sentences) == set(every[name].form.words)


def test_other_choices_are_typed_as_on_the_command_line() -> None:
    typed = {
        "importance": "age=2\nincome=0.5",
        "zeros_apart": "age, income",
        "penalty": " 3 ",
        "scale": "rank",
        "shuffle": "false",
        "dominance": "1,80",
        "blocks": "age\nincome",
        "trim": "",
    }
    recipe = recipe_of({"age": "quasi", "income": "quasi"}, Settings(others=typed), [WHOLE])
    assert (recipe.importance, recipe.zeros_apart) == ({"age": 2, "income": 0.5}, ("age", "income"))
    assert (recipe.penalty, recipe.scale, recipe.shuffle, recipe.trim) == (3, "rank", False, 0.1)
    assert (recipe.dominance, recipe.blocks) == ((1, 80.0), (("age",), ("income",)))
    with pytest.raises(CoveyError, match="penalty is 'much'; needed: a number"):
        recipe_of({"age": "quasi"}, Settings(others={"penalty": "much"}), [WHOLE])


REPORT: dict[str, Any] = {
    "records_out": 1000,
    "k_achieved": 5,
    "k_asked": 4,
    "counted_in": "units",
    "counted_over": ["age", "sex"],
    "classes": 180,
    "groups": [{"columns": ["age", "sex"], "status": "feasible", "gap_percent": 30.0}],
    "risk": [{"measure": "record linkage", "value": 0.0124}],
    "utility": [{"measure": "information loss", "value": 7.1}],
}


def test_each_number_has_its_sentence() -> None:
    k, risk, loss, gap = figures(REPORT)
    assert "fewer than 5 units by age and sex" in k.sentence
    assert "4 were asked for, in 180 classes" in k.sentence
    assert (risk.value, "would link 12 of 1000 records" in risk.sentence) == ("1.2 %", True)
    assert (loss.value, "7.10 % are lost" in loss.sentence) == ("7.10 %", True)
    assert (gap.value, "at most 43 % above the best possible for this k" in gap.sentence) == ("at most 43 %", True)
    assert "of the loss, not of the information" in gap.sentence
    asked = REPORT | {"groups": [REPORT["groups"][0] | {"loss_percent_without": 3.0}]}
    assert "for k alone, without requirements" in figures(asked)[-1].sentence
    asked = REPORT | {"groups": [asked["groups"][0] | {"gap_with_requirements": True}]}
    assert "for this k and these requirements" in figures(asked)[-1].sentence
    estimated = REPORT | {
        "risk": [{"measure": "record linkage", "value": 0.0124, "interval": [0.0101, 0.0149]}],
        "groups": [{"columns": ["age"], "status": "feasible", "gap_percent": 30.2, "gap_interval": [27.0, 33.3]}],
    }
    _, risk, _, gap = figures(estimated)
    assert "would link about 12 (95 %: 10 to 15) of 1000 records" in risk.sentence
    assert "at most 50 % above the best possible" in gap.sentence
    assert "estimated" in gap.sentence
    proven = REPORT | {"groups": [{"columns": ["age"], "status": "optimal", "gap_percent": None}]}
    assert figures(proven)[-1].value == "0 %"
    proven = REPORT | {"groups": [proven["groups"][0] | {"loss_percent_without": 3.0}]}
    assert "with this k and these requirements" in figures(proven)[-1].sentence
    nothing = REPORT | {"groups": [{"columns": ["age"], "status": "feasible", "gap_percent": 100.0}]}
    assert figures(nothing)[-1].value == "not known"
    unknown = REPORT | {"groups": [{"columns": ["age"], "status": "feasible", "gap_percent": None}]}
    assert [figure.title for figure in figures(unknown)] == ["k achieved", "Risk: linkage", "Loss"]


def test_drawings_hold_text_as_text() -> None:
    one = {"column": '"><script>', "edges": ["<script>", "b&b"], "before": [0.5, 0.5], "after": [0.25, 0.75]}
    for drawn in (before_and_after(one), bars([1.0], '"><script>')):
        assert "<script" not in drawn
        assert "&lt;script&gt;" in drawn
    assert before_and_after(one).count("<rect") == 4
    plane = Plane(ticks(10.0), ticks(100.0))
    assert plane.place(10.0, 50.0) == (95.0, 52.0)
    drawn = plane.drawn({"<b>": [(1.0, 90.0), (2.0, 50.0), (9.0, 10.0)], "pca": [(5.0, 5.0)]})
    assert drawn.count('class="way"') == 2
    assert drawn.count("&lt;b&gt;</text>") == drawn.count("pca</text>") == 1


@pytest.mark.parametrize("most", [0.1, 0.3, 1.0, 1.01, 2.5, 7.0, 9.99, 10.0, 33.9, 51.0, 100.0, 12345.6])
def test_axes_go_by_few_round_steps_past_the_largest_value(most: float) -> None:
    steps = ticks(most)
    assert 3 <= len(steps) <= 7
    assert steps[0] == 0.0
    assert steps[-2] < most <= steps[-1]
    assert len(f"{steps[1]:.12f}".rstrip("0").replace(".", "").strip("0")) <= 2  # 1, 2, 2.5 or 5, and zeros


def luminance(colour: str) -> float:
    """Relative luminance, as WCAG 2 defines it."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    bright, dim = sorted((luminance(one), luminance(other)), reverse=True)
    return (bright + 0.05) / (dim + 0.05)


TEXTS = (
    ("text", "ground"),
    ("text", "card"),
    ("text", "soft"),
    ("muted", "ground"),
    ("muted", "card"),
    ("primary", "card"),
    ("primary", "ground"),
    ("on-primary", "primary"),
    ("good", "card"),
    ("bad", "card"),
)
"""Colours of text, and what they stand on: 4.5 to 1 or more."""
SHAPES = (("before", "card"), ("after", "card"), ("line", "card"), ("primary", "card"))
"""Colours of drawings and edges of fields, and what they stand on: 3 to 1 or more."""


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_colours_pass_wcag_aa(colours: dict[str, str]) -> None:
    assert contrast("#ffffff", "#000000") == pytest.approx(21.0)
    for text, ground in TEXTS:
        assert contrast(colours[text], colours[ground]) >= 4.5, (text, ground)
    for shape, ground in SHAPES:
        assert contrast(colours[shape], colours[ground]) >= 3.0, (shape, ground)
    for value in colours.values():
        assert value in style()


@pytest.mark.parametrize(
    "name", ["../../etc/passwd.csv", "/etc/shadow.csv", "C:\\secret\\x.csv", "..\\..\\x.csv", "x.csv"]
)
def test_what_a_browser_names_is_no_path(name: str, tmp_path: Path) -> None:
    found = from_upload(name, "table", tmp_path)
    assert Path(found.path).parent == tmp_path
    assert Path(found.path).name.startswith("upload-")
    assert not {"/", "\\"} & set(found.name)
    assert found.path != from_upload(name, "table", tmp_path).path


@pytest.mark.parametrize("name", ["x", "x.exe", "x.graphml", ".csv/../x.pickle", ""])
def test_unknown_suffixes_are_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(CoveyError, match="needed: one of .csv"):
        from_upload(name, "table", tmp_path)


def test_what_the_command_line_names(tmp_path: Path) -> None:
    (tmp_path / "a.CSV").write_text("x\n1\n")
    found = from_command_line(str(tmp_path / "a.CSV"))
    assert (found.kind, found.suffix, found.name) == ("table", ".csv", "a.CSV")
    (tmp_path / "contacts.graphml").touch()
    assert from_command_line(str(tmp_path / "contacts.graphml")).kind == "network"
    assert from_command_line(str(tmp_path / "a.CSV"), network=True).kind == "network"
    with pytest.raises(CoveyError, match=r"needed: a file with one of the suffixes .graphml"):
        from_command_line("postgresql://me:hidden@host/db#people", network=True)
    assert from_command_line("postgresql://me:hidden@host/db#people").name == "postgresql://host/db#people"
    split(people(10), tmp_path / "many", "parquet")
    for given in (tmp_path / "many", f"{tmp_path}/many/*.parquet"):
        found = from_command_line(str(given))
        assert (found.kind, found.suffix) == ("table", ".parquet")
        assert open_table(found, lambda _what: None)[0][0].rows == 10
    (zipped,) = split(people(10), tmp_path / "one", "csv.gz", 1).iterdir()
    assert from_command_line(str(zipped)).suffix == ".csv"
    with pytest.raises(CoveyError, match="needed: a file with one of the suffixes"):
        from_command_line(str(tmp_path / "many"), network=True)
    for wrong in ("-", str(tmp_path / "none.csv"), str(tmp_path / "none.graphml"), "table"):
        with pytest.raises(CoveyError, match="needed"):
            from_command_line(wrong)


def test_a_file_beyond_the_memory_is_refused_before_it_is_read(tmp_path: Path) -> None:
    for name in ("huge.csv", "huge.graphml"):
        with (tmp_path / name).open("wb") as huge:
            huge.truncate(2**42)  # holes: nothing of it lies on the disk
        with pytest.raises(CoveyError, match=r"larger than \d+ MB.*covey release --memory"):
            from_command_line(str(tmp_path / name))


def test_examples_are_files(tmp_path: Path) -> None:
    for kind, first in (("table", '"patient","age"'), ("network", '"source","target"')):
        found = example(kind, tmp_path)
        assert Path(found.path).read_text(encoding="utf-8").startswith(first)
        assert found.is_example


def test_what_numbers_are_is_said_on_the_page() -> None:
    roles = {"age": "quasi", "water": "quasi", "roof": "keep"}
    settings = Settings(3)
    for name, kind in (("water", "amounts"), ("water", "codes"), ("roof", "codes"), ("age", "amounts")):
        settings = declare(settings, name, kind)
    recipe = recipe_of(roles, settings, [WHOLE])
    assert (recipe.nominal, recipe.number) == (("water",), ("age",))  # nothing is said of a column that is kept
    assert recipe_of(roles, declare(settings, "water", UNSAID), [WHOLE]).nominal == ()
    assert set(DECLARED) | {UNSAID} == set(KINDS)


def test_the_page_knows_what_looks_like_codes(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("age,water\n" + "".join(f"{20 + i % 60},{[1, 2, 5, 9][i % 4]}\n" for i in range(200)))
    columns, _, _ = open_table(from_command_line(str(path)), lambda _what: None)
    assert [bool(column.codes) for column in columns] == [False, True]
