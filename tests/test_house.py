"""What keeps the house readable: few files in the hall, names that say what they hold, types instead of `Any`."""

from __future__ import annotations

import ast
import re
import sys
from itertools import chain
from pathlib import Path

import pytest

import covey

ROOT = Path(covey.__file__).parent
MOST_FILES_AT_THE_TOP = 14
MOST_ANY = 150
# Names for the fact that something was found or given, not for what it is.
EMPTY_NAMES = {"found", "one", "told", "held", "made"}
LINES_THAT_AN_EMPTY_NAME_MAY_LIVE = 3
# The kinds of arrays of which `utils/typing.py` knows a name; what recounts is fenced off from it.
KINDS = {f"NDArray[np.{kind}]" for kind in ("int64", "int32", "float64", "bool_", "uint64")} | {
    "Callable[[str], object]"
}
FENCED = ("privacy/", "recount/", "network/publish/recount")


def modules() -> list[Path]:
    return sorted(path for path in ROOT.rglob("*.py"))


def uses_of_any(path: Path) -> int:
    """How often a value of unknown kind is declared: `: Any` of parameters and fields."""
    return len(re.findall(r": Any\b", path.read_text(encoding="utf-8")))


def functions(tree: ast.AST) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def empty_parameters(path: Path) -> list[str]:
    """The parameters of empty names."""
    return [
        f"{path.relative_to(ROOT)}:{argument.lineno} parameter {argument.arg}"
        for function in functions(ast.parse(path.read_text(encoding="utf-8")))
        for argument in chain(function.args.posonlyargs, function.args.args, function.args.kwonlyargs)
        if argument.arg in EMPTY_NAMES
    ]


def long_lived(path: Path) -> list[str]:
    """The locals of empty names that are read more than three lines below where they were last set."""
    places = []
    for function in functions(ast.parse(path.read_text(encoding="utf-8"))):
        names = [node for node in ast.walk(function) if isinstance(node, ast.Name) and node.id in EMPTY_NAMES]
        for name in EMPTY_NAMES:
            stored = sorted(node.lineno for node in names if node.id == name and isinstance(node.ctx, ast.Store))
            read = sorted(node.lineno for node in names if node.id == name and isinstance(node.ctx, ast.Load))
            if not stored:
                continue
            ages = [line - max((at for at in stored if at <= line), default=line) for line in read]
            if max(ages, default=0) > LINES_THAT_AN_EMPTY_NAME_MAY_LIVE:
                places.append(f"{path.relative_to(ROOT)}:{stored[0]} {name}")
    return sorted(set(places))


def test_the_hall_is_small() -> None:
    assert len(list(ROOT.glob("*.py"))) <= MOST_FILES_AT_THE_TOP


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(ROOT)))
def test_names_say_what_they_hold(path: Path) -> None:
    assert empty_parameters(path) + long_lived(path) == []


def test_few_values_are_of_unknown_kind() -> None:
    assert sum(map(uses_of_any, modules())) < MOST_ANY


def aliases(path: Path) -> list[str]:
    """The names that a module gives to kinds that `utils/typing.py` has a name for."""
    assigned = [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Assign)]
    return [f"{path.relative_to(ROOT)}:{node.lineno}" for node in assigned if ast.unparse(node.value) in KINDS]


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(ROOT)))
def test_a_kind_of_array_has_one_name(path: Path) -> None:
    assert str(path.relative_to(ROOT)).startswith(FENCED) or aliases(path) == []


if __name__ == "__main__":
    for room in sys.argv[1:]:
        for module in modules():
            if str(module.relative_to(ROOT)).startswith(room):
                for line in [*empty_parameters(module), *long_lived(module)]:
                    sys.stdout.write(f"{line}\n")
                if uses_of_any(module):
                    sys.stdout.write(f"{module.relative_to(ROOT)}: Any {uses_of_any(module)} times\n")
