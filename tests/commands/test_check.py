"""`covey check`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from covey import cli
from tests.commands.running import ROLES, fails

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_check_exits_1_when_it_fails(people: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert people.exists()
    assert cli.main(["check", "people.csv", "-k", "5", "--quasi", "age,charge"]) == 1
    assert "k = 1 (asked: 5): FAILS" in capsys.readouterr().out
    assert cli.main(["release", "people.csv", "-k", "5", *ROLES, "-o", "out.csv", "--quiet"]) == 0
    assert cli.main(["check", "out.csv", "-k", "5", "--quasi", "age,charge"]) == 0
    asked = [
        "--sensitive",
        "diagnosis",
        "--l-diversity",
        "2",
        "--t-closeness",
        "0.2",
        "--alpha",
        "9/10",
        "--recursive",
        "3,2",
    ]
    assert (
        cli.main(
            [
                "check",
                "out.csv",
                "-k",
                "5",
                "--quasi",
                "age,charge",
                *asked,
                "--entropy-l",
                "9",
                "--beta",
                "1",
                "--delta",
                "1",
                "--json",
            ]
        )
        == 1
    )
    found = json.loads(capsys.readouterr().out.split("\n{", maxsplit=1)[-1].join(["{", ""]))
    assert found["passed"] is False
    assert {line["measure"].split(" of ")[0] for line in found["measures"]} == {
        *(
            "k",
            "records in classes below 5",
            "alpha",
            "distinct l-diversity",
            "entropy l-diversity",
            "recursive c",
            "t-closeness",
        ),
        *("basic beta-likeness", "enhanced beta-likeness", "delta-disclosure"),
    }
    assert [line["holds"] for line in found["measures"] if line["measure"].startswith("entropy")] == [False]


def test_check_says_how_many_fall_short(people: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (people / "s.csv").write_text("zip,who\n1,a\n1,a\n1,b\n2,c\n2,d\n2,e\n3,f\n")
    check = ["check", str(people / "s.csv"), "--quasi", "zip"]
    assert cli.main([*check, "-k", "3"]) == 1
    assert "records in classes below 3 = 1\n" in capsys.readouterr().out
    assert cli.main([*check, "-k", "3", "--unit", "who", "--json"]) == 1
    lines = json.loads(capsys.readouterr().out)["measures"]
    assert lines[1] == {"measure": "units in classes below 3", "value": 3, "asked": None, "holds": None}
    assert cli.main([*check, "-k", "1"]) == 0
    assert capsys.readouterr().out == "7 rows in 3 classes\nk = 1\n"  # nothing is asked of it


def test_check_counts_units_and_missing_values(people: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (people / "t.csv").write_text("zip,who,ill\n1,a,x\n1,a,y\n1,b,x\n,c,x\n,d,\n")
    assert cli.main(["check", "t.csv", "-k", "2", "--quasi", "zip"]) == 0
    assert cli.main(["check", "t.csv", "-k", "3", "--quasi", "zip", "--unit", "who"]) == 1
    assert "k = 2 (asked: 3)" in capsys.readouterr().out
    assert cli.main(["check", "t.csv", "-k", "2", "--quasi", "zip", "--sensitive", "ill", "--l-diversity", "2"]) == 1
    assert "distinct l-diversity of ill = 1" in capsys.readouterr().out  # a missing value never counts


def test_two_releases_against_each_other(people: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert people.exists()
    common = ["--keep", "charge", "--accept", "charge", "--drop-rest", "--quiet"]
    assert cli.main(["release", "people.csv", "-k", "5", "--quasi", "age,visits", *common, "-o", "a.csv"]) == 0
    other = ["--method", "pca", "--importance", "visits=9"]
    assert cli.main(["release", "people.csv", "-k", "5", "--quasi", "age,visits", *common, *other, "-o", "b.csv"]) == 0
    assert cli.main(["check", "a.csv", "-k", "5", "--quasi", "age,visits", "--against", "b.csv"]) == 1
    out = capsys.readouterr().out
    assert "records singled out together (linked by charge)" in out
    assert cli.main(["check", "a.csv", "-k", "5", "--quasi", "age,visits", "--against", "a.csv"]) == 0  # nothing new


def test_releases_with_random_ids_against_each_other(people: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (people / "b.jsonl").unlink(missing_ok=True)
    common = [
        "--quasi",
        "age,visits",
        "--random-ids",
        "patient",
        "--keep",
        "charge,admitted",
        "--accept",
        "charge",
        "--accept",
        "admitted",
    ]
    rest = ["--drop-rest", "--quiet", "-k", "5"]
    assert cli.main(["release", "people.csv", *common, *rest, "-o", "a.csv"]) == 0
    assert cli.main(["release", "people.csv", *common, *rest, "--method", "pca", "-o", "b.jsonl"]) == 0
    assert cli.main(["release", "people.csv", *common, *rest, "--method", "pca", "-o", "b.xlsx"]) == 0
    for other in ("b.jsonl", "b.xlsx"):
        assert cli.main(["check", "a.csv", "-k", "5", "--quasi", "age,visits", "--against", other]) == 1
        assert "linked by admitted, charge" in capsys.readouterr().out.replace("charge, admitted", "admitted, charge")
    assert "no counterpart by patient" in fails(
        capsys, "check", "a.csv", "-k", "5", "--quasi", "age,visits", "--against", "b.jsonl", "--link", "patient"
    )


def test_distances_and_enhanced_likeness_can_be_asked_for(people: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert people.exists()
    base = ["check", "people.csv", "-k", "1", "--quasi", "sex", "--sensitive", "visits"]
    assert cli.main([*base, "--distance", "equal"]) == 0
    assert "(equal distance)" in capsys.readouterr().out
    assert cli.main(base) == 0
    assert "(ordered distance)" in capsys.readouterr().out
    assert cli.main([*base, "--enhanced-beta", "0"]) == 1
    capsys.readouterr()
    assert "needed: auto, ordered or equal" in fails(capsys, *base, "--distance", "far")
    assert "needed: C,L" in fails(capsys, *base, "--recursive", "2,0")


def test_linked_units_are_counted_by_all_of_their_rows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Six homes: every age stands in three of them, and each pair of ages in one only."""
    ages = [(30, 40), (30, 50), (40, 50), (30, 60), (40, 60), (50, 60)]
    ill = ["a", "b", "c", "a", "b", "c"]
    rows = [f"h{home},{age},{ill[home]}" for home, both in enumerate(ages) for age in both]
    source = tmp_path / "homes.csv"
    source.write_text("home,age,ill\n" + "\n".join(rows) + "\n", encoding="utf-8")
    asked = ["check", str(source), "-k", "3", "--quasi", "age", "--unit", "home", "--sensitive", "ill"]
    assert cli.main(asked) == 0
    assert "k = 3 (asked: 3): holds" in capsys.readouterr().out
    assert cli.main([*asked, "--linked"]) == 1
    out = capsys.readouterr().out
    assert "12 rows in 6 classes" in out
    assert "k = 1 (asked: 3): FAILS" in out
    assert "distinct l-diversity of ill = 1" in out
    assert cli.main(["check", str(source), "-k", "3", "--quasi", "age", "--linked"]) == 2
    assert "--linked is given without --unit" in capsys.readouterr().err


def test_special_uniques_of_a_table(people: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert people.exists()
    asked = ["check", "people.csv", "-k", "1", "--quasi", "age,sex,region"]
    assert cli.main([*asked, "--suda", "--suda-fraction", "1/10", "--suda-records", "risk-internal.csv"]) == 0
    told = capsys.readouterr().out
    for line in (
        "records singled out by at most 3 columns = ",
        "special uniques of 1 column = ",
        "part of age in special",
    ):
        assert line in told
    assert "(DIS) = 0." in told
    records = (people / "risk-internal.csv").read_text(encoding="utf-8").splitlines()
    assert records[0] == "row,score,special_uniques,columns"
    singled_out = int(told.split("at most 3 columns = ")[1].split("\n")[0])
    assert len(records) - 1 == singled_out > 0
    assert {name for line in records[1:] for name in line.split(",")[3].split()} <= {"age", "sex", "region"}
    assert ((people / "risk-internal.csv").stat().st_mode & 0o777) == 0o600


def test_special_uniques_are_asked_for_in_full(people: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert people.exists()
    asked = ["check", "people.csv", "-k", "1", "--quasi", "age,sex"]
    assert "--suda-columns is given without --suda" in fails(capsys, *asked, "--suda-columns", "2")
    assert "--suda-columns is 3; needed: 1 to 2" in fails(capsys, *asked, "--suda", "--suda-columns", "3")
    assert "suda-fraction" in fails(capsys, *asked, "--suda", "--suda-fraction", "2")
    assert "'internal' in it" in fails(capsys, *asked, "--suda", "--suda-records", "risk.csv")


def test_a_table_without_names_is_asked_about_and_not_quoted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its first record was taken for names: one record too few was counted, and an error listed its values."""
    table = tmp_path / "bare.csv"
    table.write_text("".join(f"Smith{i},{41 + i % 2},1207\n" for i in range(6)), encoding="utf-8")
    asked = ["check", str(table), "-k", "3", "--quasi"]
    for name in ("age", "41"):
        told = fails(capsys, *asked, name)
        assert "the first line of 'bare.csv' looks like a record" in told
        assert "--no-header" in told
        assert not any(value in told for value in ("Smith", "1207"))
    assert cli.main([*asked, "column2", "--no-header"]) == 0
    assert "6 rows in 2 classes\nk = 3 (asked: 3): holds" in capsys.readouterr().out
    assert cli.main([*asked, "41", "--header"]) == 1
    assert "5 rows in 2 classes" in capsys.readouterr().out
    assert cli.main([*asked, "column2", "--no-header", "--against", str(table), "--link", "column1"]) == 0


def test_a_header_is_said_of_text_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("check", str(tmp_path / "t.parquet"), "-k", "2", "--quasi", "a", "--header")
    assert "header is given" in fails(capsys, *asked)
    beside = ("check", "t.csv", "--certificate", "c.json", "--no-header")
    assert "leave one of them out" in fails(capsys, *beside)
