"""The page in a real browser: the whole way, and what goes wrong on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.csv as pacsv

from covey.cli import main
from tests.web import walk
from tests.web.shown import fits, low_contrast, unnamed
from tests.web.test_choices import DOUBTFUL
from tests.web.test_wording import OPTION

if TYPE_CHECKING:
    from pathlib import Path


def test_the_whole_way_on_the_bundled_table(tab: Any, tmp_path: Path) -> None:
    walk.open_example(tab)
    assert tab.get_by_text("Suggested: Sensitive, because").count() == 1
    walk.set_roles(tab)
    walk.button(tab, "Go on: protect").click()
    walk.preview(tab, 5)
    assert tab.locator(".covey-plot svg").count() == 5
    walk.move_k(tab, +3)
    walk.preview(tab, 8)
    assert tab.get_by_text("Above the best", exact=True).count() == 1
    assert tab.get_by_role("region", name="Released rows").locator("tr").count() == 11
    walk.go(tab, "Compare")
    walk.few_settings(tab)
    walk.compare(tab)
    assert tab.get_by_text("k = 9 loses").count() == 1
    tab.get_by_role("button", name="Take mdav, k = 10").click()  # a point of the plane
    walk.preview(tab, 10)
    walk.go(tab, "Release")
    tab.get_by_text("with k = 10 by mdav").wait_for()
    walk.release(tab)
    assert (
        tab.get_by_text("nobody can single out fewer than 10 records by age, sex, region, admitted, charge").count()
        == 1
    )
    assert tab.evaluate(low_contrast) == unnamed(tab) == []
    table = walk.download(tab, "The table").decode().splitlines()
    shown = tab.get_by_role("region", name="Released rows").locator("tr").all()
    assert [",".join(row.locator("th, td").all_inner_texts()) for row in shown] == [
        row.replace('"', "") for row in table[:11]
    ]
    assert b"k-anonymity" in walk.download(tab, "Public report")
    assert b"entropy" not in walk.download(tab, "Certificate")
    for title, name in (
        ("The table", "release.csv"),
        ("Recipe", "recipe.toml"),
        ("The example itself", "patients.csv"),
    ):
        (tmp_path / name).write_bytes(walk.download(tab, title))
    again = [str(tmp_path / name) for name in ("patients.csv", "recipe.toml", "again.csv")]
    assert main(["release", again[0], "--recipe", again[1], "-o", again[2], "--quiet"]) == 0
    assert (tmp_path / "again.csv").read_bytes() == (tmp_path / "release.csv").read_bytes()


def test_the_network_page(tab: Any, tmp_path: Path) -> None:
    walk.button(tab, "240 simulated people who meet").click()
    walk.heading(tab, "Clusters of a network").wait_for(timeout=walk.LONG)
    keys = walk.Keyboard(tab)
    for field, text in (("Smallest cluster", "8"), ("Seconds to look for better clusters", "0")):
        keys.to("spinbutton", field)
        keys.press("Control+a", *text)
    keys.to("switch", "The edges inside connect each cluster")
    keys.press("Space")
    keys.do("Make the release", "To hand out")
    keys.to("link", "The clusters")
    for name in ("original", "released"):
        assert tab.locator(f".covey-{name} svg").is_visible()
    assert tab.get_by_text("Every vertex is published as one of at least 8").count() == 1
    assert tab.evaluate(low_contrast) == unnamed(tab) == []
    written = tmp_path / "release.graphml"
    written.write_bytes(walk.download(tab, "The clusters"))
    (tmp_path / "contacts.csv").write_bytes(walk.download(tab, "The example itself"))
    recipe = tmp_path / "recipe.toml"
    recipe.write_bytes(walk.download(tab, "Recipe"))
    assert "connected = true" in recipe.read_text(encoding="utf-8")
    assert tab.get_by_text("covey network release contacts.csv --recipe recipe-internal.toml").is_visible()
    changed = tab.get_by_text("Choices were changed after this release was made")
    assert not changed.is_visible()
    tab.get_by_label("Smallest cluster", exact=True).fill("9")
    changed.wait_for()
    tab.set_viewport_size({"width": 390, "height": 800})
    assert in_both_modes(tab) == []
    tab.wait_for_function(fits)
    again = [str(tmp_path / name) for name in ("contacts.csv", "recipe.toml", "again.graphml")]
    assert main(["network", "release", again[0], "--recipe", again[1], "-o", again[2], "--quiet"]) == 0
    assert (tmp_path / "again.graphml").read_bytes() == written.read_bytes()
    recipe.write_text('lower = 11\nkeep = ["triangles"]\nobjective = "sum"\n', encoding="utf-8")
    tab.locator("input[type=file]").first.set_input_files(str(recipe))
    tab.get_by_text("Also chosen by the recipe. Least possible: sum").wait_for()
    assert tab.get_by_label("Smallest cluster", exact=True).input_value() == "11"
    assert tab.get_by_role("switch", name="Keep triangles for samples").get_attribute("aria-checked") == "true"
    recipe.write_text("lower = 11\nuper = 12\n", encoding="utf-8")
    tab.locator("input[type=file]").first.set_input_files(str(recipe))
    tab.get_by_text("did you mean 'upper'").first.wait_for()


def in_both_modes(tab: Any) -> list[Any]:
    """Text without contrast, light and dark."""
    found = []
    for mode in ("light", "dark"):
        tab.emulate_media(color_scheme=mode)
        tab.locator(f"body.body--{mode}").wait_for()
        tab.wait_for_timeout(400)  # colours change slowly
        found += [(mode, *one) for one in tab.evaluate(low_contrast)]
    return found


def test_a_bad_file_is_said_to_be_one_and_the_table_stays(tab: Any, tmp_path: Path) -> None:
    (tmp_path / "broken.parquet").write_bytes(b"secret-value" * 40)
    walk.upload(tab, tmp_path / "broken.parquet")
    tab.get_by_role("alert").filter(has_text="no parquet that can be read").wait_for(timeout=walk.LONG)
    assert "secret-value" not in tab.content()
    walk.open_example(tab)
    walk.go(tab, "Open")
    walk.upload(tab, tmp_path / "broken.parquet")
    tab.get_by_role("alert").filter(has_text="no parquet that can be read").wait_for(timeout=walk.LONG)
    walk.go(tab, "Columns")
    tab.get_by_role("combobox", name="Role of diagnosis").wait_for()
    with (tmp_path / "huge.csv").open("wb") as huge:
        huge.truncate(2**42)  # holes: nothing of it lies on the disk
    for bad in ("program.exe", "huge.csv"):
        (tmp_path / bad).open("ab").close()
        walk.go(tab, "Open")
        walk.upload(tab, tmp_path / bad)
        tab.get_by_role("alert").filter(has_text="the file was not taken").wait_for()
        walk.go(tab, "Columns")  # the table stays, and the message goes
        tab.get_by_role("alert").wait_for(state="detached")


def test_the_page_answers_while_100000_records_are_released_and_the_run_is_cancelled(tab: Any, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    table = {name: pa.array(rng.lognormal(3, 1, 100_000).round(2)) for name in ("income", "charge", "height")}
    pacsv.write_csv(pa.table(table), tmp_path / "large.csv")
    walk.upload(tab, tmp_path / "large.csv")
    walk.heading(tab, "What is each column").wait_for(timeout=walk.LONG)
    running = walk.begin_long_release(tab)
    walk.move_k(tab, +2)
    walk.preview(tab, 7)
    assert tab.get_by_text("Estimated on 3,000 of 100,000 records").count() == 1
    walk.go(tab, "Columns")
    assert running.count() == 1  # is said at every step
    walk.choose(tab, "Role of height", "Keep")
    tab.locator(".covey-reason").filter(has_text="Published as it is.").wait_for()
    walk.go(tab, "Release")
    assert running.count() == 1  # all of that came before the release
    walk.button(tab, "Cancel").click()
    tab.get_by_role("alert").filter(has_text="The run was cancelled; nothing was released").wait_for()
    assert walk.heading(tab, "To hand out").count() == 0
    assert walk.button(tab, "Make the release").count() == 1


def test_a_release_that_fails_is_said_wherever_one_is(tab: Any) -> None:
    walk.open_example(tab)
    walk.set_roles(tab)
    walk.go(tab, "Protect")
    tab.get_by_label("l: different values in each class").fill("60")
    walk.go(tab, "Release")
    tab.get_by_text("Published as they are: visits, diagnosis.").wait_for()
    walk.button(tab, "Make the release").click()
    walk.go(tab, "Columns")
    walk.heading(tab, "A run has failed").wait_for(timeout=walk.LONG)
    walk.button(tab, "Show: Release").focus()
    tab.keyboard.press("Enter")
    tab.get_by_role("alert").filter(has_text="diagnosis").wait_for()
    assert walk.heading(tab, "A run has failed").count() == 0
    tab.wait_for_function("document.activeElement.getAttribute('role') === 'heading'")  # the keyboard goes on there


def test_fields_say_what_is_in_force(tab: Any) -> None:
    walk.open_example(tab)
    walk.go(tab, "Protect")
    field = tab.get_by_label("k", exact=True)
    field.fill("-5")
    tab.get_by_role("alert").filter(has_text="k is -5; needed: at least 2").wait_for()
    field.fill("7")
    walk.preview(tab, 7)
    field.fill("")
    tab.get_by_label("l: different values in each class").focus()
    tab.wait_for_function("document.querySelector('input[aria-label=k]').value === '7'")


def test_what_is_in_doubt_is_answered_at_its_column_and_a_recipe_is_loaded(tab: Any, tmp_path: Path) -> None:
    (tmp_path / "doubt.csv").write_text(DOUBTFUL)
    walk.upload(tab, tmp_path / "doubt.csv")
    tab.get_by_text("5 columns are in doubt").wait_for(timeout=walk.LONG)
    assert "1013" not in tab.content()  # no value of the original is there before it is asked for
    walk.button(tab, "Show ten rows of the original").click()
    tab.get_by_role("region", name="Rows of the original").get_by_text("1013").wait_for()
    walk.button(tab, "Hide the rows of the original").click()
    tab.get_by_text("1013").wait_for(state="detached")
    walk.button(tab, "water: They are codes").focus()
    tab.keyboard.press("Enter")
    tab.get_by_text("4 columns are in doubt").wait_for()
    tab.wait_for_function(
        "document.activeElement.getAttribute('aria-label') === 'Role of water'"
    )  # the keyboard goes on there
    walk.button(tab, "income. Values").click()
    walk.button(tab, "answer: never stands for a missing value").click()
    tab.get_by_text("3 columns are in doubt").wait_for(timeout=walk.LONG)  # the table was read again
    tab.get_by_role("button", name="income. Values", expanded=True).wait_for()  # what was unfolded stays so
    assert tab.get_by_role("group", name="answer").get_by_text("whole numbers").count() == 1
    assert unnamed(tab) == in_both_modes(tab) == []
    tab.get_by_label("Find columns").fill("a")
    tab.get_by_text("4 of 6 columns are shown").wait_for()
    tab.get_by_role("checkbox", name="Tick all that are shown").click()
    walk.button(tab, "Give it to 4 columns").click()
    tab.get_by_text("2 columns are in doubt").wait_for()
    (tmp_path / "recipe.toml").write_text(RECIPE)
    walk.upload(tab, tmp_path / "recipe.toml")
    tab.get_by_role("alert").filter(has_text="The recipe says nothing of answer").wait_for(timeout=walk.LONG)
    tab.get_by_text("in doubt: answer").wait_for(state="hidden", timeout=walk.LONG)
    walk.go(tab, "Protect")
    walk.preview(tab, 4)
    rows = tab.get_by_role("region", name="Released rows")
    assert rows.locator("tr").count() == 11
    assert rows.get_by_text("1990-").count() > 0
    tab.go_back()
    walk.heading(tab, "What is each column").wait_for()
    tab.go_forward()
    walk.heading(tab, "How much protection?").wait_for()
    assert tab.url.endswith("?step=protect")
    first = tab.context.request.get(tab.url).text()  # as it is shown before any script has run
    assert first.index("Protect: the page is being loaded") < first.index('id="app"')
    assert "1013" not in first


RECIPE = """k = 4
nominal = ["water"]
missing = "own-group"
small_strata = "merge"
[roles]
quasi = ["age", "water", "born", "income"]
drop = ["day"]
[missing_codes]
income = ["-9"]
[dates]
born = "dd/mm/yyyy"
"""


def test_a_reload_in_the_middle_loses_nothing(tab: Any) -> None:
    walk.open_example(tab)
    walk.set_roles(tab)
    walk.go(tab, "Protect")
    walk.move_k(tab, +2)
    walk.go(tab, "Release")
    walk.button(tab, "Make the release").click()
    tab.get_by_role("status").filter(has_text="Releasing").wait_for()
    tab.reload()
    walk.heading(tab, "To hand out").wait_for(timeout=walk.LONG)
    assert tab.get_by_text("with k = 7 by auto").count() == 1
    walk.go(tab, "Columns")
    assert tab.get_by_role("combobox", name="Role of visits").input_value() == "Keep"


HOSTILE = "<script>window.hacked=1</script>"


def test_two_tabs_are_two_sessions_and_cells_are_text(tab: Any, context: Any, browser: Any, page_server: Any) -> None:
    other = walk.enter(context, context.home)
    names = f'"{HOSTILE}",<img src=x onerror=window.hacked=1>,amount\n'
    rows = "".join(f"{HOSTILE if row % 2 else 'b'},<b>{row % 3}</b>,{row % 17}\n" for row in range(120))
    walk.drop(tab, "hostile.csv", names + rows)
    walk.heading(tab, "What is each column").wait_for(timeout=walk.LONG)
    assert tab.get_by_text(HOSTILE, exact=True).count() == 1
    walk.go(tab, "Protect")
    walk.preview(tab, 5)
    assert tab.get_by_text("<script>windo", exact=False).count() >= 1
    for page in (tab, other):
        assert page.evaluate("window.hacked") is None
    assert "hostile.csv" in tab.content()
    other.reload()
    walk.heading(other, "Open a table or a network").wait_for()
    assert "hostile.csv" not in other.content()
    assert other.get_by_role("tab", name="Columns").get_attribute("aria-disabled") == "true"
    _stranger_sees_nothing(tab, browser, page_server)


def _stranger_sees_nothing(tab: Any, browser: Any, page_server: Any) -> None:
    """Another browser, without and with a place of its own."""
    stranger = browser.new_context()
    page = stranger.new_page()
    assert page.goto(tab.url).status == 401
    own = walk.enter(stranger, page_server.link())
    assert page.goto(tab.url).status == 401
    there = own.url.rpartition("/")[0] + "/" + tab.url.rpartition("/")[2].partition("?")[0]
    page.goto(there)
    walk.heading(page, "Open a table or a network").wait_for()
    assert page.url not in {own.url, there}
    assert stranger.request.get(f"{there}/download/table").status == 404
    stranger.close()


def test_the_loss_that_leaving_records_out_buys_is_drawn_and_a_budget_chosen(tab: Any, tmp_path: Path) -> None:
    walk.open_example(tab)
    walk.set_roles(tab)
    walk.show_what_budgets_buy(tab)
    place = tab.get_by_role("group", name="What leaving records out buys")
    place.get_by_role("status").filter(has_text="Trying budgets: ").wait_for(timeout=walk.LONG)
    assert tab.get_by_role("button", name="Cancel").count() == place.get_by_role("button", name="Cancel").count()
    place.get_by_role("button", name="Cancel").click()
    place.get_by_role("alert").filter(has_text="The run was cancelled").wait_for()
    (tmp_path / "firms.csv").write_text(FIRMS)
    walk.go(tab, "Open")
    walk.upload(tab, tmp_path / "firms.csv")
    walk.heading(tab, "What is each column").wait_for(timeout=walk.LONG)
    walk.choose(tab, "Role of turnover", "Quasi-identifier")
    walk.choose(tab, "Role of staff", "Quasi-identifier")
    walk.show_what_budgets_buy(tab)
    slider = tab.get_by_role("slider", name="Records to leave out, by slider")
    slider.wait_for(timeout=walk.LONG)
    assert slider.evaluate("at => at === document.activeElement")  # the keyboard goes on there
    field = tab.get_by_label("Records to leave out", exact=True)
    tab.keyboard.press("ArrowRight")
    place.get_by_role("status").filter(has_text="With 1 %, 6 of 600 records are not published").wait_for()
    assert (field.input_value(), slider.get_attribute("aria-valuetext")) == (
        "1%",
        place.get_by_role("status").inner_text(),
    )
    place.locator("[data-place='2']").click()
    place.get_by_role("status").filter(has_text="With 2 %").wait_for()
    assert (field.input_value(), slider.input_value()) == ("2%", "2")
    assert place.get_by_role("img", name="Loss by the share of records that may be left out: none").is_visible()
    assert place.get_by_role("table", name="What leaving records out buys").locator("tr").count() == 5
    field.fill("0.9 %")
    place.get_by_text("The budget that is typed above is none of these").wait_for()
    field.fill("1 %")
    place.get_by_role("status").filter(has_text="With 1 %").wait_for()
    assert unnamed(tab) == in_both_modes(tab) == []
    tab.set_viewport_size({"width": 360, "height": 800})
    tab.wait_for_function(fits)
    walk.move_k(tab, +1)
    place.get_by_text("Something else was changed since").wait_for()


FIRMS = "turnover,staff\n" + "".join(
    f"{row * 37 % 601 + (90_000 * (row % 7 + 1) if row % 100 == 0 else 0)}.5,{row * 53 % 211 + 1}\n"
    for row in range(600)
)
"""600 firms, six of which are a hundred times as large as the others."""


def test_every_step_works_by_keyboard(tab: Any) -> None:
    keys = walk.Keyboard(tab)
    keys.do("Try the example: 3,000 simulated hospital stays", walk.HEADINGS["Columns"])
    keys.to("combobox", "Role of income")
    keys.press("ArrowDown")
    tab.get_by_role("option", name="Drop", exact=True).wait_for()
    keys.press("ArrowDown", "ArrowDown", "Enter")
    tab.get_by_text("Not published. Suggested: Quasi-identifier").wait_for()
    tab.get_by_role("tab", name="Columns").focus()
    keys.press("ArrowRight", "Enter")
    walk.heading(tab, walk.HEADINGS["Protect"]).wait_for()
    keys.to("slider", "k by slider")
    keys.press("ArrowRight")
    walk.preview(tab, 6)
    keys.do("Compare settings", walk.HEADINGS["Compare"])
    for field, chosen in (("Values of k", (6, 5)), ("Methods", (4, 3))):
        keys.to("combobox", field)
        for left in chosen:
            keys.press("Backspace")  # takes the last of what is chosen away
            tab.locator(".q-chip").nth(left).wait_for(state="detached")
    keys.do("Compare", "Risk against loss")
    assert unnamed(tab) == []
    keys.do("Take auto, k = 5", walk.HEADINGS["Protect"])  # a point of the plane
    keys.do("Go on: release", "Release")
    keys.do("Make the release", "To hand out")
    assert unnamed(tab) == []
    keys.to("region", "Released rows")
    keys.to("link", "The table")
    with tab.expect_download() as begun:
        keys.press("Enter")
    assert begun.value.suggested_filename == "release.csv"


def test_every_text_has_contrast_every_control_a_name_and_all_fits_a_phone(tab: Any) -> None:
    walk.open_example(tab)
    found = []
    for step in walk.HEADINGS:
        tab.set_viewport_size({"width": 360, "height": 800})
        walk.go(tab, step)
        if step == "Protect":
            walk.preview(tab, 5)
        found += [(step, *one) for one in in_both_modes(tab)]
        assert unnamed(tab) == [], step
        assert OPTION.search(tab.inner_text("body")) is None, step
        for width in (360, 600, 601, 880, 881, 1000, 1900):
            tab.set_viewport_size({"width": width, "height": 800})
            tab.wait_for_function(fits)
            cut = [
                one
                for one in tab.locator(".q-tab__label").all()
                if one.evaluate("at => at.scrollWidth > at.clientWidth + 1")
            ]
            assert cut == [], (step, width)
    assert found == []
