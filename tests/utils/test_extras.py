"""What is said of packages that are not there, or are there and fail."""

from __future__ import annotations

import importlib
import importlib.util
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pytest

import covey
from covey import io
from covey.cli import main
from covey.errors import MissingExtraError
from covey.network.formats import read_network
from covey.utils import extras

if TYPE_CHECKING:
    from collections.abc import Callable

pytest.importorskip("pandas")  # whole, before a test hides it
PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
MODULES = {"scikit-learn": "sklearn", "tomli-w": "tomli_w"}
BROUGHT_BY_OTHERS = {"fastapi": "nicegui", "uvicorn": "nicegui", "threadpoolctl": "sklearn"}


def packages(requirements: list[str]) -> set[str]:
    names = {re.split(r"[\[>=<]", one)[0] for one in requirements}
    return {MODULES.get(name, name) for name in names}


def hide(monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    """As if it were not installed."""
    import_module, find_spec = importlib.import_module, importlib.util.find_spec

    def imported(name: str) -> Any:
        if name.split(".", maxsplit=1)[0] == package:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return import_module(name)

    monkeypatch.setattr(importlib, "import_module", imported)
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, within=None: None if name == package else find_spec(name, within)
    )


def test_the_extras_of_a_package_are_those_that_bring_it() -> None:
    brought: dict[str, set[str]] = {}
    for extra, requirements in PROJECT["optional-dependencies"].items():
        for package in packages([one for one in requirements if not one.startswith("covey")]):
            brought.setdefault(package, set()).add(extra)
    for package, source in BROUGHT_BY_OTHERS.items():
        brought[package] = brought[source]
    assert {package: set(known) for package, known in extras._EXTRAS.items()} == brought
    assert not packages(PROJECT["dependencies"]) & set(extras._EXTRAS)


def read_sav(folder: Path) -> None:
    (folder / "t.sav").write_bytes(b"$FL2")
    io.read(folder / "t.sav")


def read_far(_: Path) -> None:
    io.read("memory://folder/t.csv")


def write(target: Path | str) -> None:
    done = covey.release(pa.table({"income": np.arange(20.0)}), 3, quasi=["income"])
    done.write(target, ledger=False)


def write_dta(folder: Path) -> None:
    write(folder / "out.dta")


def write_sav(folder: Path) -> None:
    write(folder / "out.sav")


def write_xlsx(folder: Path) -> None:
    write(folder / "out.xlsx")


def write_duckdb(folder: Path) -> None:
    write(f"duckdb:///{folder}/out.duckdb#t")


def exactly(_: Path) -> None:
    covey.solve(np.random.default_rng(0).normal(size=(12, 2)), 4, method="exact")


def measured(_: Path) -> None:
    table = pa.table({"income": np.random.default_rng(0).normal(size=60), "rent": np.arange(60.0)})
    covey.release(table, 3, quasi=["income", "rent"], measuring=covey.Measuring())


def network_from_csv(folder: Path) -> None:
    (folder / "edges.csv").write_text("from,to\na,b\nb,c\nc,d\nd,a\na,c\n", encoding="utf-8")
    covey.network.microaggregate(read_network(folder / "edges.csv").network, 2, method="milp")


def on_spark(_: Path) -> None:
    from covey.commands.release import Order, Where
    from covey.commands.shared import Publishing, Reading
    from covey.commands.spark import release_on_spark

    recipe = covey.Recipe(k=3, roles=covey.Roles(quasi=("a",)))
    release_on_spark(Where(spark="local"), Order("in", "out", recipe, Reading(), Publishing(quiet=True)))


@pytest.mark.parametrize(
    ("package", "call", "extra"),
    [
        ("pandas", read_sav, "statistical"),
        ("pyreadstat", read_sav, "statistical"),
        ("pandas", write_dta, "statistical"),
        ("pyreadstat", write_dta, "statistical"),
        ("pyreadstat", write_sav, "statistical"),
        ("xlsxwriter", write_xlsx, "excel"),
        ("duckdb", write_duckdb, "duckdb"),
        ("fsspec", read_far, "remote"),
        ("scipy", exactly, "exact"),
        ("scipy", measured, "report"),
        ("scipy", network_from_csv, "network"),
        ("pyspark", on_spark, "spark"),
        ("pandas", on_spark, "spark"),
    ],
)
def test_the_extra_is_the_one_for_what_was_asked(
    package: str, call: Callable[[Path], None], extra: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hide(monkeypatch, package)
    wanted = rf"{package} is not installed; install it with: pip install 'covey\[{extra}\]'$"
    with pytest.raises(MissingExtraError, match=wanted):
        call(tmp_path)


def test_what_comes_with_covey_needs_no_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    hide(monkeypatch, "tomli_w")
    with pytest.raises(MissingExtraError, match="tomli_w is not installed; install it with: pip install covey$"):
        covey.Recipe(k=3).to_toml()


@pytest.mark.parametrize(
    ("source", "cause"),
    [
        ("import not_there_at_all", "ModuleNotFoundError: No module named 'not_there_at_all'"),
        (
            "raise ImportError('libfoo.so.3: cannot open\\nshared object')",
            "ImportError: libfoo.so.3: cannot open shared object",
        ),
        ("raise AttributeError('_ARRAY_API not found')", "AttributeError: _ARRAY_API not found"),
        (
            "try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    raise ImportError('advice ' * 99) from e",
            "ZeroDivisionError",
        ),
    ],
)
def test_what_is_installed_and_fails_is_not_called_missing(
    source: str, cause: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "damaged_package.py").write_text(source, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(MissingExtraError) as caught:
        extras.load("damaged_package")
    assert str(caught.value).startswith(f"damaged_package is installed and cannot be imported: {cause}")
    assert "not installed" not in str(caught.value)
    assert caught.value.__cause__ is not None


def test_a_damaged_package_is_one_line_on_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delitem(sys.modules, "fastexcel", raising=False)
    (tmp_path / "fastexcel.py").write_text("import not_there_at_all", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "t.xlsx").write_bytes(b"PK")
    code = main(["release", str(tmp_path / "t.xlsx"), "-o", str(tmp_path / "out.csv"), "-k", "2", "--quasi", "age"])
    told = capsys.readouterr().err
    assert code == 2
    assert told.count("\n") == 1
    assert (
        "fastexcel is installed and cannot be imported: ModuleNotFoundError: No module named 'not_there_at_all'" in told
    )
    assert not (tmp_path / "out.csv").exists()


def test_the_estimator_says_why_scikit_learn_fails(tmp_path: Path) -> None:
    (tmp_path / "sklearn").mkdir()
    (tmp_path / "sklearn" / "__init__.py").write_text("import not_there_at_all", encoding="utf-8")
    call = "import sys; sys.path.insert(0, sys.argv[1]); import covey.sklearn"
    done = subprocess.run([sys.executable, "-c", call, tmp_path], capture_output=True, text=True, check=False)
    last = done.stderr.strip().splitlines()[-1]
    assert (
        "sklearn is installed and cannot be imported: ModuleNotFoundError: No module named 'not_there_at_all'" in last
    )
