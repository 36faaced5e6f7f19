"""From what is chosen on the page to a recipe; sentences; drawings; colours."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from covey.columns.codes import Sign
from covey.columns.profile import Column
from covey.errors import CoveyError
from covey.io import read
from covey.io.inference import Declared
from covey.methods import METHODS as ALL_METHODS
from covey.recipe.choice import choices_of
from covey.recipe.recipe import Recipe
from covey.recipe.roles import Roles
from covey.web.choices import AT_COLUMN, METHODS, MISSING, OTHERS, ROLES, SMALL, Settings, give_role, recipe_of
from covey.web.drawings import bars, before_and_after
from covey.web.jobs import open_table, preview, released
from covey.web.kinds import AMOUNTS, CODES, KINDS, ORDERED, UNSAID, kind_of, offered_kinds, with_kind
from covey.web.loading import loaded_recipe, read_uploaded
from covey.web.plane import DIGIT, DOT, HIGH, SIZES, Plane, rooms, ticks
from covey.web.problems import open_questions, problems
from covey.web.rows import MASK, SHOWN, original_rows
from covey.web.sentences import figures
from covey.web.shelf import DOUBT, Shelf, arranged, filters
from covey.web.source import example, from_command_line, from_upload
from covey.web.theme import DARK, LIGHT, style
from tests.contract.recipes import CASES, Case
from tests.io.many import people, split


def silent(_what: Any) -> None:
    """Who hears nothing."""


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
    give_role(roles, "a", "unit_ids")
    assert roles == {"a": "unit_ids", "b": "drop", "c": "drop"}
    assert recipe_of(roles | {"b": "quasi"}, Settings(), []).publishes_units
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
    places = [field.name for field in fields(Settings) if field.name not in ("others", "at")]
    offered = {*ROLES, *places, *AT_COLUMN, *OTHERS, "drop_rest"}
    assert offered - {"unit_ids", "strata_ids"} == {name for name, found in every.items() if found.is_option}
    assert list(ROLES) == [*dict.fromkeys((*ROLES, *choices_of(Roles)))]
    for name, sentences in (("missing", MISSING), ("small_strata", SMALL)):
        assert set(sentences) == set(every[name].form.words)


def test_other_choices_are_typed_as_on_the_command_line() -> None:
    typed = {
        "reasons": "age=known\nincome=a = b",
        "edits": "age >= 0",
        "penalty": " 3 ",
        "scale": "rank",
        "shuffle": "false",
        "dominance": "1,80",
        "blocks": "age\nincome",
        "trim": "",
    }
    assert recipe_of({"age": "quasi"}, Settings(others={"suppress": "1 %"}), [WHOLE]).suppress == "1%"
    assert recipe_of({"age": "quasi"}, Settings(others={"suppress": "12"}), [WHOLE]).suppress == 12
    recipe = recipe_of({"age": "quasi", "income": "quasi"}, Settings(others=typed), [WHOLE])
    assert (recipe.reasons, recipe.edits) == ({"age": "known", "income": "a = b"}, ("age >= 0",))
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
    assert "k = 4 was asked for. The release has 180 classes." in k.sentence
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
    assert "b&gt;" not in drawn  # names stand in the legend


@pytest.mark.parametrize("seed", range(3))
def test_numbers_at_points_overlap_nothing_on_any_screen(seed: int) -> None:
    """The definition, pixel by pixel: no two of the boxes of numbers and points share one."""
    rng = np.random.default_rng(seed)
    points = [(float(x), float(y)) for x, y in zip(rng.uniform(10, 40, 14), rng.uniform(12, 92, 14), strict=True)]
    texts = [str(k) for k in rng.integers(2, 50, 10)]  # the last four points are grey, and have none
    places = rooms(points, texts)
    assert len(places) == len(texts)
    assert sum(place is not None for place in places) >= 5
    for width, height in SIZES:
        dots = [(x * width / 100, -y * height / 100, DOT, DOT) for x, y in points]
        labels = {
            number: (dots[number][0] + place[0], dots[number][1] + place[1], DIGIT * len(texts[number]) + 2, HIGH)
            for number, place in enumerate(places)
            if place is not None
        }
        for own, label in labels.items():
            others = [dot for number, dot in enumerate(dots) if number != own]
            for other in (*others, *(one for number, one in labels.items() if number < own)):
                apart = [abs(label[axis] - other[axis]) >= (label[axis + 2] + other[axis + 2]) / 2 for axis in (0, 1)]
                assert any(apart), (own, width)


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


SEEN = {
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
"""What readers without one kind of cones see of linear red, green and blue (Machado, Oliveira and Fernandes, 2009)."""


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("seen", SEEN)
def test_original_and_released_are_told_apart_by_colour_blind_readers(colours: dict[str, str], seen: str) -> None:
    """By lightness or by hue: as far apart as the text of the page is from its muted text, at the least."""

    def as_seen(colour: str) -> Any:
        parts = np.array([int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)])
        return np.clip(np.array(SEEN[seen]) @ parts**2.2, 0, 1) ** (1 / 2.2)

    def apart(one: str, other: str) -> float:
        return float(np.linalg.norm(as_seen(colours[one]) - as_seen(colours[other])))

    assert apart("before", "after") > 0.3
    assert apart("before", "after") > apart("text", "muted")


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
        assert open_table(found, Declared(), silent)[0][0].rows == 10
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


ASKED = Column("water", "whole numbers", 200, 4, 0, (), codes=(Sign.GAPS,), values=("1", "2", "5", "9"))
WORDS = Column("size", "text", 200, 3, 0, (), values=("big", "mid", "small"))


def test_what_values_are_is_said_at_the_column() -> None:
    roles = {"age": "quasi", "water": "quasi", "roof": "keep", "size": "sensitive"}
    settings = Settings(3)
    for kind in (AMOUNTS, CODES):
        settings = with_kind(settings, ASKED, kind)
    settings = with_kind(with_kind(settings, replace(ASKED, name="roof"), CODES), WORDS, ORDERED)
    recipe = recipe_of(roles, settings, [WHOLE])
    assert (recipe.nominal, recipe.number) == (("water",), ())  # nothing is said of a column that is kept
    assert recipe.ordinal == {"size": ("big", "mid", "small")}
    back = with_kind(with_kind(settings, ASKED, UNSAID), WORDS, CODES)
    assert (recipe_of(roles, back, [WHOLE]).nominal, recipe_of(roles, back, [WHOLE]).ordinal) == ((), {})
    assert {kind for column in (ASKED, WORDS, WHOLE) for kind in offered_kinds(column)} == set(KINDS)
    assert [kind_of(settings, column) for column in (ASKED, WORDS, WHOLE)] == [CODES, ORDERED, AMOUNTS]


def test_what_only_another_kind_can_have_is_taken_back_with_the_kind() -> None:
    settings = with_kind(Settings(3), ASKED, AMOUNTS)
    for name, value in (("top", "99%"), ("zeros_apart", True), ("importance", 2)):
        settings = settings.with_choice(name, "water", value)
    recipe = recipe_of({"water": "quasi"}, settings, [ASKED])
    assert (recipe.top, recipe.zeros_apart, recipe.importance) == ({"water": "99%"}, ("water",), {"water": 2.0})
    recipe = recipe_of({"water": "quasi"}, with_kind(settings, ASKED, CODES), [ASKED])
    assert (recipe.top, recipe.zeros_apart, recipe.importance) == ({}, (), {"water": 2.0})


def test_columns_are_filtered_sorted_and_given_roles_together() -> None:
    columns = [WHOLE, GAPS, ASKED, WORDS]
    roles = {"age": "quasi", "income": "drop", "water": "quasi", "size": "quasi"}

    def names(**chosen: Any) -> list[str]:
        return [column.name for column in arranged(columns, roles, ["water"], Shelf(**chosen))]

    assert names() == ["age", "income", "water", "size"]
    assert names(words="A E") == ["age", "water"]
    assert (names(only=DOUBT), names(only="Drop")) == (["water"], ["income"])
    assert names(order="Name") == ["age", "income", "size", "water"]
    assert names(order="Most missing values first")[0] == "income"
    assert names(order="Type", words="e") == ["income", "size", "age", "water"]
    assert filters(roles)[2:] == ["Quasi-identifier", "Drop"]


DOUBTFUL = """age,water,born,answer,income,day
""" + "".join(
    f"{20 + i % 60},{[1, 2, 5, 9][i % 4]},{1 + i % 9:02}/{1 + i % 7:02}/1990,"
    f"{'never' if i % 50 == 0 else i % 40},{-9 if i % 20 == 0 else 1000 + 13 * i},199{i % 10}0{1 + i % 9}15\n"
    for i in range(200)
)


def test_all_that_is_in_doubt_is_said_at_its_column_with_what_repairs_it(tmp_path: Path) -> None:
    """Every question that the release would ask is asked; each repair answers it, and the release is then made."""
    path = tmp_path / "t.csv"
    path.write_text(DOUBTFUL)
    source = from_command_line(str(path))
    columns, _, _ = open_table(source, Declared(), silent)
    roles = {column.name: "quasi" for column in columns}
    asked = {column.name: problems(column, "quasi", Settings()) for column in columns}
    repairs = {name: [one.title for problem in found for one in problem.repairs] for name, found in asked.items()}
    assert repairs == {
        "age": [],
        "water": ["They are codes", "They are numbers"],
        "born": [
            "The day stands first: dd/mm/yyyy",
            "The month stands first: mm/dd/yyyy",
            "They are no dates, but categories",
        ],
        "answer": ["never stands for a missing value", "Take all of it as categories", "Drop it"],
        "income": ["-9 stands for a missing value", "It is a number like the others"],
        "day": ["They are codes", "They are numbers", "They are days, such as 19991231"],
    }
    assert open_questions(columns, roles, Settings()) == [name for name, found in repairs.items() if found]
    settings = Settings(3, "mdav")
    for name, choice in (("water", 0), ("born", 0), ("answer", 0), ("income", 0), ("day", 2)):
        column = next(one for one in columns if one.name == name)
        repair = [one for problem in asked[name] for one in problem.repairs][choice]
        if repair.changes == "kind":
            settings = with_kind(settings, column, str(repair.value))
        else:
            settings = settings.with_choice(repair.changes, name, repair.value)
    recipe = recipe_of(roles, settings, columns)
    declared = Declared(recipe.missing_codes, recipe.dates)
    columns, sample, _ = open_table(source, declared, silent)
    assert open_questions(columns, roles, settings) == []
    assert [column.type for column in columns] == [*["whole numbers"] * 2, "dates", *["whole numbers"] * 2, "dates"]
    assert [column.missing for column in columns] == [0, 0, 0, 4, 10, 0]
    recipe = recipe_of(roles, settings, columns)
    report, done = preview(sample, recipe, silent), released(source, recipe, str(tmp_path), ".csv", silent)
    assert min(report["k_achieved"], done["k_achieved"]) >= 3
    assert done["rows"].cells[0] == tuple(
        (tmp_path / "release.csv").read_text().splitlines()[1].replace('"', "").split(",")
    )
    assert report["rows"].names == tuple(roles)
    assert len(report["rows"].cells) == 10


@pytest.mark.parametrize("role", ROLES)
def test_nothing_is_in_doubt_about_what_is_not_grouped(role: str) -> None:
    doubts = [problem.must for problem in problems(ASKED, role, Settings())]
    assert doubts == ([True] if role == "quasi" else [])
    nested = problems(Column("visits", "nested", 9, 0, 0, ()), role, Settings())
    assert [problem.must for problem in nested] == ([] if role == "drop" else [True])


def test_rows_of_the_original_are_masked_where_they_name_a_record(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("name,code,age,income\n" + "".join(f'Ann{i},007,3{i % 10},"1,{i}"\n' for i in range(30)))
    rows = original_rows(read(path), ["name"])
    assert rows.names == ("name", "code", "age", "income")
    assert rows.cells[1] == (MASK, "007", "31", "1,1")
    assert len(rows.cells) == SHOWN


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_recipe_that_is_loaded_is_the_recipe_that_the_page_stands_for(case: Case) -> None:
    """All recipes of the contract go to the page and back; the secret is left out."""
    recipe = Recipe.from_dict(case.recipe)
    names = list(recipe.roles.named())
    loaded = loaded_recipe(recipe, [*names, "beside"])
    assert loaded.unnamed == ([] if recipe.drop_rest else ["beside"])
    columns = [Column(name, "numbers", 9, 9, 1, ()) for name in names]  # with gaps: a rule for them has an effect
    again = recipe_of({name: loaded.roles[name] for name in names}, loaded.settings, columns)
    assert again == recipe.with_changes(entropy=None, drop_rest=False)


def test_clusters_of_a_survey_are_strata_with_random_ids() -> None:
    recipe = Recipe.from_dict({"k": 3, "quasi": ["age"], "strata": ["land", "psu"], "random_ids": ["id", "psu"]})
    loaded = loaded_recipe(recipe, ["age", "land", "psu", "id"])
    assert loaded.roles == {"age": "quasi", "land": "strata", "psu": "strata_ids", "id": "random_ids"}
    again = recipe_of(loaded.roles, Settings(3, small_strata="error"), [])
    assert {*again.roles.strata} == {*recipe.roles.strata}
    assert {*again.roles.random_ids} == {*recipe.roles.random_ids}


def test_an_uploaded_recipe_opens_no_file_that_it_names(tmp_path: Path) -> None:
    secret = tmp_path / "secret.csv"
    secret.write_text("a;x\nb;x\n")
    recipe = {"k": 3, "roles": {"quasi": ["ward"]}, "hierarchy": {"ward": str(secret)}}
    (tmp_path / "r.toml").write_text(f'k = 3\n[roles]\nquasi = ["ward"]\n[hierarchy]\nward = "{secret}"\n')
    (tmp_path / "r.json").write_text(json.dumps({"recipe": recipe}))
    for name in ("r.toml", "r.json"):
        with pytest.raises(CoveyError, match="names files for the levels of ward; needed: the levels themselves"):
            read_uploaded(tmp_path / name)
    (tmp_path / "r.toml").write_text('k = 3\n[roles]\nquasi = ["ward"]\n[hierarchy]\nward = "prefix:2"\n')
    settings = loaded_recipe(read_uploaded(tmp_path / "r.toml"), ["ward"]).settings
    assert settings.of("hierarchy", "ward") == "prefix:2"
    (tmp_path / "r.json").write_text("[]")
    with pytest.raises(CoveyError, match="no internal certificate"):
        read_uploaded(tmp_path / "r.json")
    assert "hierarchy" not in OTHERS  # where a path could be typed


def test_a_recipe_of_other_columns_is_refused_and_one_of_fewer_says_so() -> None:
    with pytest.raises(CoveyError, match="the table does not have: wage; needed"):
        loaded_recipe(Recipe.from_dict({"k": 3, "quasi": ["age", "wage"]}), ["age"])
    loaded = loaded_recipe(Recipe.from_dict({"k": 3, "quasi": ["age"], "seed": 7}), ["age", "sex"])
    assert (loaded.unnamed, loaded.settings.others) == (["sex"], {"seed": "7"})
