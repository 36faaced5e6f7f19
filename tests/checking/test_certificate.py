"""A certificate fits its own file and no other: bytes, rows and counts."""

from __future__ import annotations

import contextlib
import json
import random
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

import covey
from covey import cli
from covey.errors import InputError
from covey.io import columnar, delimited, read_published
from covey.io.inputs import Inputs
from covey.utils.seal import CHANGED, OTHER_ROWS, REWRITTEN, rows_hash

FORMATS = ("csv", "tsv", "parquet", "arrow", "jsonl", "xlsx", "sav", "dta", "xpt")
DATABASES = ("sqlite", "duckdb")


def people(seed: int = 0, n: int = 60) -> pa.Table:
    rng = np.random.default_rng(seed)
    return pa.table(
        {
            "age": rng.integers(18, 90, n),
            "income": rng.normal(3000, 800, n).round(2),
            "ward": rng.choice(["east", "west"], n),
            "ill": rng.choice(["flu", "cold", "none"], n),
        }
    )


def make(seed: int = 0, **choices: Any) -> covey.Release:
    given: dict[str, Any] = {
        "k": 4,
        "quasi": ["age", "income"],
        "keep": ["ward"],
        "sensitive": ["ill"],
        "accept": ["ward"],
    }
    return covey.release(people(seed), **(given | choices))


def verdicts(target: Path | str, certificate: Path) -> dict[str, bool | None]:
    return {one.claim: one.holds for one in covey.check_certificate(str(target), certificate).findings}


@pytest.mark.parametrize("fmt", FORMATS)
def test_a_file_and_its_certificate(fmt: str, tmp_path: Path) -> None:
    out, told = tmp_path / f"out.{fmt}", tmp_path / "c.json"
    make(l_diversity=2).write(out, certificate=told)
    found = covey.check_certificate(str(out), told)
    assert found.passed
    assert all(one.holds for one in found.findings)
    other = tmp_path / f"other.{fmt}"
    make(1, l_diversity=2).write(other)
    assert verdicts(other, told)["the bytes"] is False
    assert verdicts(other, told)["the rows"] is False


@pytest.mark.parametrize("fmt", ["csv", "parquet", "jsonl", "arrow"])
def test_shuffled_rows_pass_the_second_and_fail_the_first(fmt: str, tmp_path: Path) -> None:
    out, told = tmp_path / f"out.{fmt}", tmp_path / "c.json"
    make().write(out, certificate=told)
    if fmt in ("csv", "jsonl"):
        lines = out.read_text().splitlines(keepends=True)
        head = lines[: fmt == "csv"]
        rest = lines[len(head) :]
        random.Random(0).shuffle(rest)
        out.write_text("".join([*head, *rest]))
    else:
        table = read_published(out)
        order = pa.array(np.random.default_rng(0).permutation(table.num_rows))
        (columnar.write_parquet if fmt == "parquet" else columnar.write_arrow)(table.take(order), out)
    found = covey.check_certificate(str(out), told)
    assert [(one.claim, one.holds, one.said) for one in found.findings][:2] == [
        ("the bytes", False, REWRITTEN),
        ("the rows", True, ""),
    ]
    assert not found.passed
    assert all(one.holds for one in found.findings[1:])


def test_every_flipped_bit_of_a_value_and_every_dropped_row_is_seen(tmp_path: Path) -> None:
    out, told = tmp_path / "out.parquet", tmp_path / "c.json"
    make().write(out, certificate=told)
    table = read_published(out)
    whole = out.read_bytes()
    flipped = bytearray(whole)
    flipped[len(flipped) // 2] ^= 1
    out.write_bytes(flipped)
    with contextlib.suppress(InputError):  # it may be no Parquet file any more
        assert verdicts(out, told)["the bytes"] is False
    for place in range(table.num_rows):
        pq.write_table(pa.concat_tables([table.slice(0, place), table.slice(place + 1)]), out)
        found = covey.check_certificate(str(out), told)
        assert [one.said for one in found.findings[:2]] == [CHANGED, OTHER_ROWS]
        assert not found.findings[2].holds  # the number of records
    income = table.column("income").to_numpy().copy()
    income.view(np.uint64)[7] ^= 1  # the last bit of one number
    pq.write_table(table.set_column(1, "income", pa.array(income)), out)
    assert verdicts(out, told)["the rows"] is False


@pytest.mark.parametrize("kind", DATABASES)
def test_a_table_of_a_database_has_rows_and_no_bytes(kind: str, tmp_path: Path) -> None:
    url, told = f"{kind}:///{tmp_path}/out.db#t", tmp_path / "c.json"
    make().write(url, certificate=told)
    assert json.loads(told.read_text())["released"][0]["sha256"] is None
    found = covey.check_certificate(url, told)
    assert found.passed
    assert found.findings[0].holds is None
    assert "no bytes of its own" in found.findings[0].said
    make(1).write(url, force=True)
    assert not covey.check_certificate(url, told).passed


@pytest.mark.parametrize("fmt", ["csv", "tsv", "parquet"])
def test_a_file_larger_than_memory_has_the_same_seal(fmt: str, tmp_path: Path) -> None:
    source, out, told = tmp_path / "in.parquet", tmp_path / f"out.{fmt}", tmp_path / "c.json"
    pq.write_table(people(n=400), source)
    done = covey.release_file(
        source, out, 4, quasi=["age", "income"], sensitive=["ill"], l_diversity=2, drop_rest=True, certificate=told
    )
    assert done.certificate.public["released"][0]["rows_hash"] == rows_hash([read_published(out)])
    found = covey.check_certificate(str(out), told)
    assert found.passed
    assert all(one.holds for one in found.findings)


@pytest.mark.parametrize(
    ("claim", "counted"),
    [
        ("k_achieved", "k ="),
        ("classes", "the sizes of classes"),
        ("records", "records ="),
        ("requirements", "at least 7 different values of ill"),
        ("class_sizes", "the sizes of classes"),
    ],
)
def test_a_claim_that_does_not_hold_fails(claim: str, counted: str, tmp_path: Path) -> None:
    out, told = tmp_path / "out.csv", tmp_path / "c.json"
    make(l_diversity=2).write(out, certificate=told)
    changed = json.loads(told.read_text())
    if claim == "requirements":
        changed[claim][0]["requirement"]["limit"] = 7.0
    elif claim == "class_sizes":
        changed[claim]["4"] = 99
    else:
        changed[claim] += 1
    told.write_text(json.dumps(changed))
    failed = [one.claim for one in covey.check_certificate(str(out), told).findings if one.holds is False]
    assert any(one.startswith(counted) for one in failed), failed  # by the count, not by the words alone


def test_units(tmp_path: Path) -> None:
    table = people().append_column("house", pa.array([f"h{place // 2}" for place in range(60)]))
    table = table.set_column(0, "age", pa.array([place // 8 for place in range(60)]))  # of whole houses
    told = tmp_path / "c.json"
    ways: dict[str, Any] = {"hidden.csv": {"drop": ["house"]}, "shown.csv": {"random_ids": ["house"]}}
    for name, more in ways.items():
        done = covey.release(table, k=2, quasi=["age"], sensitive=["ill"], unit="house", drop_rest=True, **more)
        done.write(tmp_path / name, certificate=told, force=True)
        found = covey.check_certificate(str(tmp_path / name), told)
        assert found.passed
        holds = {one.claim: one.holds for one in found.findings}
        assert holds["k in units"] is None if name == "hidden.csv" else holds[f"k = {done.certificate.k}"]


def test_linked_units_that_are_not_published_have_no_classes_in_the_file(tmp_path: Path) -> None:
    """Houses of one old and one young: a class of houses is two of rows."""
    table = people().append_column("house", pa.array([f"h{place // 2}" for place in range(60)]))
    table = table.set_column(0, "age", pa.array([place % 2 * 40 + place // 8 for place in range(60)]))
    done = covey.release(table, k=2, quasi=["age"], unit="house", linked=True, drop_rest=True)
    told = tmp_path / "c.json"
    done.write(tmp_path / "out.csv", certificate=told)
    found = covey.check_certificate(str(tmp_path / "out.csv"), told)
    assert found.passed, found.to_text()
    assert {one.claim for one in found.findings if one.holds is None} == {"classes of units", "k in units"}
    assert len(set(done.arrow["age"].to_pylist())) > done.certificate.public["classes"]


def test_blocks(tmp_path: Path) -> None:
    told, out = tmp_path / "c.json", tmp_path / "out.csv"
    done = covey.release(
        people(), k=5, quasi=["age", "income"], blocks=[["age"], ["income"]], allow_blocks=True, drop_rest=True
    )
    done.write(out, certificate=told)
    found = verdicts(out, told)
    assert found.pop("the bytes")
    assert found.pop("the rows")
    assert all(found.values())
    assert sum(claim.startswith("k of") for claim in found) == 2


@pytest.mark.parametrize("target", ["out.csv", "out.parquet", "out.graphml", "out.gexf", "out.gml"])
@pytest.mark.parametrize("kind", ["clusters", "degrees"])
def test_networks(target: str, kind: str, tmp_path: Path) -> None:
    graph, out, told = nx.karate_club_graph(), tmp_path / target, tmp_path / "c.json"
    made = []
    for seed in (1, 2):
        if kind == "clusters":
            done: Any = covey.network.release(graph, 4, method="carving", seed=seed)
            done.write(out, certificate=told, samples=1, force=True)
        else:
            done = covey.network.degree_anonymous(graph, 3, seed=seed)
            done.write(out, certificate=told, force=True)
        found = covey.check_certificate(str(out), told)
        assert found.passed
        assert all(one.holds for one in found.findings)
        made.append(told.read_text())
    told.write_text(made[0])  # of another release
    assert not covey.check_certificate(str(out), told).passed
    told.write_text(made[1])
    if kind == "clusters":
        sample = covey.check_certificate(str(out.with_name(f"out-sample-1{out.suffix}")), told)
        assert sample.passed
        assert sample.findings[-1].holds is None
    if target == "out.csv":
        edges = tmp_path / "out-edges.csv"
        lines = edges.read_text().splitlines(keepends=True)
        edges.write_text("".join([lines[0], *reversed(lines[1:])]))
        holds = [one.holds for one in covey.check_certificate(str(out), told).findings]
        assert holds[:4] == [True, True, False, True]
        edges.write_text("".join(lines[:-1]))
        assert not covey.check_certificate(str(out), told).passed
        edges.unlink()
        with pytest.raises(InputError, match="no file 'out-edges.csv'"):
            covey.check_certificate(str(out), told)


FORGED: dict[str, Any] = {
    "promise": "Every vertex is published as one of at least 50 of its cluster.",
    "lower_asked": 6,
    "smallest_cluster": 50,
    "clusters": 3,
    "vertices": 9999,
    "linked_pairs_of_clusters": 0,
    "clusters_are_connected": False,
    "directed": True,
    "kept": "triangles",
    "counts": "exact",
    "pairs_of_clusters_not_listed": "have no edge",
    "rows_with_certain_links": 77,
    "cluster_sizes": {"50": 3},
    "attributes": {"age": "mean"},
}
FALSE_CLAIMS: list[dict[str, Any]] = [
    {"lower": 3},
    {"counts": "exact", "width": 1},
    {"counts": "suppress"},
    {"width": 2},
    {"connected": False},
    {"directed": True},
    {"keep": []},
]


@pytest.mark.parametrize("target", ["out.csv", "out.graphml"])
def test_every_false_word_of_a_certificate_of_clusters_is_seen(target: str, tmp_path: Path) -> None:
    out, told = tmp_path / target, tmp_path / "c.json"
    graph = nx.karate_club_graph()
    nx.set_node_attributes(graph, {v: v % 3 for v in graph}, "size of shoes")
    done = covey.network.release(
        graph, 5, method="carving", connected=True, keep=["degrees"], numeric=["size of shoes"], seed=1
    )
    done.write(out, certificate=told)
    honest = json.loads(told.read_text())
    checked = covey.check_certificate(str(out), told)
    assert checked.passed
    assert checked.not_compared == ("covey",)
    assert [one.claim for one in checked.findings if one.holds is None] == ["the aggregates of size of shoes"]
    assert {*honest} - {"covey", "claims", "released"} <= {*FORGED}
    for name, value in FORGED.items():
        told.write_text(json.dumps(honest | {name: value}))
        assert not covey.check_certificate(str(out), told).passed, name
    for claims in FALSE_CLAIMS:
        told.write_text(json.dumps(honest | {"claims": honest["claims"] | claims}))
        assert not covey.check_certificate(str(out), told).passed, claims


@pytest.mark.parametrize("counts", ["round", "suppress", "exact"])
def test_a_rule_of_counts_is_seen_in_the_file_where_certificate_and_words_agree_on_another(
    counts: str, tmp_path: Path
) -> None:
    out, told = tmp_path / "out.csv", tmp_path / "c.json"
    graph = nx.gnm_random_graph(60, 150, seed=1)
    others: list[dict[str, Any]] = [
        {"counts": kind, **({"base": 3} if kind == "round" else {})} for kind in ("round", "suppress", "exact")
    ]
    words = {}
    for one in others:
        covey.network.release(graph, 5, method="carving", seed=1, **one).write(out, certificate=told, force=True)
        words[one["counts"]] = json.loads(told.read_text())
    covey.network.release(graph, 5, method="carving", seed=1, counts=counts).write(out, certificate=told, force=True)
    honest = json.loads(told.read_text())
    for kind, other in words.items():
        mixed = {name: other[name] for name in ("counts", "pairs_of_clusters_not_listed", "claims")}
        told.write_text(json.dumps(honest | mixed))
        assert covey.check_certificate(str(out), told).passed == (kind == counts), kind


def test_every_false_word_of_a_certificate_of_degrees_is_seen(tmp_path: Path) -> None:
    out, told = tmp_path / "out.csv", tmp_path / "c.json"
    covey.network.degree_anonymous(nx.karate_club_graph(), 3, seed=1).write(out, certificate=told)
    honest = json.loads(told.read_text())
    assert covey.check_certificate(str(out), told).not_compared == ("covey",)
    false = {"promise": "k-degree anonymity with k = 50.", "k_asked": 50, "k_achieved": 50, "vertices": 9, "edges": 9}
    assert {*false} == {*honest} - {"covey", "released"}
    for name, value in false.items():
        told.write_text(json.dumps(honest | {name: value}))
        assert not covey.check_certificate(str(out), told).passed, name


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    make().write("out.csv", certificate="c.json", internal="internal.json")
    assert cli.main(["check", "out.csv", "--certificate", "c.json"]) == 0
    assert capsys.readouterr().out.startswith("the bytes: holds\nthe rows: holds\nrecords = 60: holds\nk = 4: holds\n")
    assert cli.main(["check", "out.csv", "--certificate", "internal.json", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["passed"] is True
    table = delimited.read_text(Inputs.of_file(Path("out.csv"), "csv"))
    delimited.write(table.take(pa.array(range(59, -1, -1))), Path("out.csv"))
    assert cli.main(["check", "out.csv", "--certificate", "c.json"]) == 1
    assert "the bytes: FAILS (these are not the bytes that were certified; the rows are" in capsys.readouterr().out
    for more, message in (
        (["--certificate", "c.json", "-k", "3"], "k is given beside it"),
        ([], "k is not given; needed"),
        (["--certificate", "out.csv"], "'out.csv' is no certificate; needed: the JSON file"),
    ):
        assert cli.main(["check", "out.csv", *more]) == 2
        assert message in capsys.readouterr().err
    Path("old.json").write_text(json.dumps({"covey": "0", "k_achieved": 4, "counted_over": ["age"]}))
    assert cli.main(["check", "out.csv", "--certificate", "old.json"]) == 2
    assert "does not say which file it is of" in capsys.readouterr().err


def test_rows_by_their_definition() -> None:
    """The hash is equal exactly where the multisets of rows are, for all small tables of two values with gaps."""
    columns = [pa.array(values) for values in ([1, 1, None], [1, None, 1], [None, 1, 1], [1, 1, 1], [None, None, 1])]
    known: dict[Any, str] = {}
    for one in columns:
        for other in columns:
            for rows in range(4):
                table = pa.table({"a": one, "b": other.cast(pa.string())}).slice(0, rows)
                told = tuple(sorted(map(str, table.to_pylist())))
                assert known.setdefault(told, rows_hash([table])) == rows_hash([table])
    assert len(set(known.values())) == len(known)
    kinds = [pa.array([1]), pa.array([1.0]), pa.array(["1"]), pa.array([True]), pa.array([1], pa.date32())]
    kinds += [
        pa.array([1], pa.timestamp("us")),
        pa.array([1], pa.duration("us")),
        pa.array([1], pa.time64("us")),
        pa.nulls(1),
    ]
    assert len({rows_hash([pa.table({"a": kind})]) for kind in kinds}) == len(kinds)
    day = pa.array([18_000], pa.date32())
    assert rows_hash([pa.table({"a": day})]) == rows_hash([pa.table({"a": day.cast(pa.date64())})])
    moment = pc.cast(day, pa.timestamp("ns"))
    assert rows_hash([pa.table({"a": moment})]) == rows_hash([pa.table({"a": moment.cast(pa.timestamp("us"))})])


def test_sentences_that_are_not_what_was_counted_fail(tmp_path: Path) -> None:
    out, told = tmp_path / "out.csv", tmp_path / "c.json"
    make(l_diversity=2).write(out, certificate=told)
    public = json.loads(told.read_text())
    assert covey.check_certificate(out, told).passed
    requirement = public["requirements"][0]
    forged: list[dict[str, Any]] = [
        {"promise": public["promise"].replace("k = ", "k = 1")},
        {"requirements": [requirement | {"asked": "at least 7 different values of ill"}]},
        {"requirements": [requirement | {"worst_class": 4.0}]},
        {"requirements": []},
        {"k_asked": 90},
        {"checked_on_the_original": [{"column": "age", "asked": "p % of 10"}]},
    ]
    for change in forged:
        told.write_text(json.dumps(public | change))
        assert not covey.check_certificate(out, told).passed, change


def test_a_damaged_certificate_is_an_error(tmp_path: Path) -> None:
    out, told = tmp_path / "out.csv", tmp_path / "c.json"
    make(l_diversity=2).write(out, certificate=told)
    public = json.loads(told.read_text())
    changes: list[dict[str, Any]] = [{"requirements": [{}]}, {"counted_over": None}, {"released": [{}]}, {"blocks": 1}]
    for change in changes:
        told.write_text(json.dumps(public | change))
        with pytest.raises(InputError, match="is damaged"):
            covey.check_certificate(out, told)
    for name in ("k_achieved", "counted_over", "classes", "promise"):
        told.write_text(json.dumps({key: value for key, value in public.items() if key != name}))
        with pytest.raises(InputError, match=f"is damaged and lacks {name}; needed"):
            covey.check_certificate(out, told)


def test_what_nobody_can_compare_is_named(tmp_path: Path) -> None:
    """Every part of a certificate is either compared, so that another one fails, or named as not compared."""
    out, told = tmp_path / "out.csv", tmp_path / "c.json"
    make(l_diversity=2).write(out, certificate=told)
    public = json.loads(told.read_text())
    found = covey.check_certificate(out, told)
    made = ("covey", "method", "aggregates", "missing", "top", "bottom", "small_strata", "rows_in_random_order")
    assert set(found.not_compared) == set(made)
    assert found.to_text().endswith(
        f"not compared, for nothing in the file shows it: {', '.join(found.not_compared)}\n"
    )
    assert json.loads(found.to_json())["not_compared"] == list(found.not_compared)
    for name in public:
        other = {"counted_in": "units", "units_published_as": "age", "released": [{"rows_hash": "0", "sha256": "0"}]}
        changed = other.get(name, {} if public[name] else [1])
        told.write_text(json.dumps(public | {name: changed}))
        try:
            passed = all(one.holds for one in covey.check_certificate(out, told).findings)
        except InputError:
            passed = False
        assert passed == (name in made), name
    told.write_text(json.dumps(public | {"approved_by": "us"}))
    assert "approved_by" in covey.check_certificate(out, told).not_compared
