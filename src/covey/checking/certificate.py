"""Whether a published file is what its certificate says: the file by its seal, and what was counted by counting it again."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from covey.core.requirement import Requirement
from covey.errors import InputError, RefusedError
from covey.io import columnar, read_published
from covey.io.location import locate
from covey.io.reading import guarded, spooled
from covey.recount.classes import classes_of, recount, tracks
from covey.recount.readings import Units
from covey.recount.requirements import Order, recount_requirements
from covey.report.certificate import promise_of
from covey.utils.extras import load
from covey.utils.seal import Finding, Seal, compared, file_hash, files_hash, rows_hash

if TYPE_CHECKING:
    from covey.recount.classes import Recount

ON_THE_ORIGINAL = "only who has the original amounts can check it"
NO_UNITS = "units were counted, and they are not published; only who has the original can count them again"


@dataclass(frozen=True)
class Certified:
    """All that was found of a file and its certificate."""

    findings: list[Finding] = field(default_factory=list)

    @property
    def passed(self) -> bool:
        """Whether no claim fails."""
        return all(one.holds is not False for one in self.findings)

    def to_text(self) -> str:
        """One line a claim."""
        verdicts = {True: "holds", False: "FAILS", None: "not checked"}
        lines = [
            f"{one.claim}: {verdicts[one.holds]}" + (f" ({one.said})" if one.said else "") for one in self.findings
        ]
        return "\n".join(lines) + "\n"

    def to_json(self) -> str:
        """The same as JSON."""
        return json.dumps({"passed": self.passed, "claims": [asdict(one) for one in self.findings]}, indent=2) + "\n"


def check_certificate(source: str | Path, certificate: str | Path, *, format: str | None = None) -> Certified:  # noqa: A002
    """Compare a published file with its public certificate, and count again what it claims.

    Parameters
    ----------
    source
        The file, the folder of a Spark release, `-`, the URL of a database with its table, or the first file of a network.
    certificate
        The public certificate, as it was written with the release.
    format
        Where the name of the file does not tell.

    Returns
    -------
    Certified
        What holds, what fails and what nobody can tell from the file.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import covey
    >>> done = covey.release(covey.datasets.load_patients(), k=5, quasi=["age"], drop_rest=True)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     out, told = pathlib.Path(folder) / "out.csv", pathlib.Path(folder) / "certificate.json"
    ...     _ = done.write(out, certificate=told, ledger=False)
    ...     covey.check_certificate(out, told).passed
    True
    """
    told = read_certificate(Path(certificate))
    if "k_achieved" not in told or "counted_over" not in told:
        from covey.network.publish.certified import findings  # which takes a while to load

        return Certified(findings(str(source), told, format))
    table, seal = _look_at(str(source), format)
    try:
        found = compared(seal, Seal(**told["released"][0]))
        return Certified(found + _counts(_with_names(table, told), told) + _not_counted(told))
    except (AttributeError, KeyError, TypeError, ValueError):
        msg = f"the certificate {Path(certificate).name!r} is damaged; needed: the file as --certificate wrote it"
        raise InputError(msg) from None


def read_certificate(path: Path) -> dict[str, Any]:
    """A public certificate that knows its file; an error for anything else."""
    told = guarded(path.name, lambda: json.loads(path.read_text(encoding="utf-8")), "certificate")
    if not isinstance(told, dict) or "covey" not in told:
        msg = f"{path.name!r} is no certificate; needed: the JSON file that --certificate wrote with the release"
        raise InputError(msg)
    if not told.get("released"):
        msg = f"the certificate {path.name!r} does not say which file it is of; needed: one that was written with its release by this version"
        raise InputError(msg)
    return told


def _look_at(source: str, fmt: str | None) -> tuple[Any, Seal]:
    """A published table as a stranger reads it, and its seal."""
    if Path(source).is_dir():
        return _folder(Path(source))
    place = locate(source, format=fmt)
    if place.place == "stream":
        with spooled() as path:
            return _look_at(str(path), place.format)
    table = read_published(place)
    return table, Seal(rows_hash([table]), file_hash(place.path) if place.place == "file" else None)


def _folder(folder: Path) -> tuple[Any, Seal]:
    files = sorted(folder.glob("*.parquet"))
    if not files:
        msg = f"{folder.name!r} is a folder without Parquet files; needed: the folder of a Spark release, or a file"
        raise InputError(msg)
    tables = [guarded(path.name, partial(columnar.read_parquet, path)).table for path in files]
    return load("pyarrow").concat_tables(tables), Seal(rows_hash(tables), files_hash(map(file_hash, files)))


def _with_names(table: Any, told: dict[str, Any]) -> Any:
    """The table under the names that the certificate uses: one that a spreadsheet would run got an apostrophe."""
    named = [*told["counted_over"], told.get("units_published_as"), *(one["column"] for one in told["requirements"])]
    meant = {f"'{name}": name for name in named if name is not None}
    return table.rename_columns([meant.get(name, name) for name in table.column_names])


def _counts(table: Any, told: dict[str, Any]) -> list[Finding]:
    names, unit = told["counted_over"], told.get("units_published_as")
    needed = [*names, *([unit] if unit else []), *(one["column"] for one in told["requirements"])]
    missing = [name for name in dict.fromkeys(needed) if name not in table.column_names]
    if missing:
        return [Finding("the columns", holds=False, said=f"{', '.join(missing)} are missing")]
    records = Finding(_said("records", table.num_rows), table.num_rows == told["records"])
    if not table.num_rows:
        return [records]
    classes = classes_of([table.column(name) for name in names], table.num_rows)
    units = Units.of_column(table.column(unit)) if unit else None
    if told["counted_in"] == "units" and units is None:
        number = int(classes.max()) + 1
        found = [Finding(_said("classes", number), number == told["classes"]), Finding("k in units", None, NO_UNITS)]
        asked = [Finding(str(Requirement(**one["requirement"])), None, NO_UNITS) for one in told["requirements"]]
        return [records, *found, *asked]
    counted = recount(classes if units is None else tracks(classes, units.number), None)
    return [records, *_k(counted, told), *_blocks(table, told, units), *_requirements(table, classes, units, told)]


def _not_counted(told: dict[str, Any]) -> list[Finding]:
    """What the sentences of a certificate say beyond its numbers, and what only the original can show."""
    asked = [Requirement(**one["requirement"]) for one in told["requirements"]]
    checked = [one["asked"] for one in told["checked_on_the_original"]]
    promised = promise_of(
        told["k_achieved"],
        told["counted_in"],
        told["counted_over"],
        [str(one) for one in asked],
        checked,
        told["k_asked"] if told["blocks"] else None,
    )
    written = [one["asked"] for one in told["requirements"]]
    agree = told["promise"] == promised and written == [str(one) for one in asked]
    sentences = Finding("what it says in words", agree, "" if agree else "this is not what its numbers say")
    return [sentences, *(Finding(one, None, ON_THE_ORIGINAL) for one in checked)]


def _said(what: str, value: int) -> str:
    return f"{what} = {value}"


def _k(counted: Recount, told: dict[str, Any]) -> list[Finding]:
    sizes = {str(size): number for size, number in counted.histogram.items()}
    enough = counted.k >= told["k_asked"] or bool(told["blocks"])
    return [
        Finding(_said("k", counted.k), counted.k == told["k_achieved"] and enough),
        Finding("the sizes of classes", sizes == told["class_sizes"] and counted.classes == told["classes"]),
    ]


def _blocks(table: Any, told: dict[str, Any], units: Units | None) -> list[Finding]:
    """Blocks of columns have k each by itself, with what is known beside them."""
    blocks = told["blocks"]
    beside = [name for name in told["counted_over"] if not any(name in block for block in blocks)]
    found = []
    for block in blocks:
        classes = classes_of([table.column(name) for name in (*block, *beside)], table.num_rows)
        k = recount(classes if units is None else tracks(classes, units.number)).k
        found.append(Finding(f"k of {', '.join(block)} = {k}", k >= told["k_asked"]))
    return found


def _requirements(table: Any, classes: Any, units: Units | None, told: dict[str, Any]) -> list[Finding]:
    found = []
    for one in told["requirements"]:
        asked, given = Requirement(**one["requirement"]), one["order"]
        order = None if given is None else Order(**(given | {"categories": tuple(given["categories"])}))
        orders = {} if order is None else {asked.column: order}
        try:
            (held,) = recount_requirements(table, classes, units, [asked], orders)
            found.append(
                Finding(str(asked), math.isclose(held.reached, one["worst_class"], rel_tol=1e-9, abs_tol=1e-12))
            )
        except RefusedError:
            found.append(Finding(str(asked), holds=False))
    return found
