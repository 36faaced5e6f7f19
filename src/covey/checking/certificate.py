"""Whether a published file is what its certificate says: the file by its seal, and what was counted by counting it again."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from covey.checking.claims import COMPARED, Claims, RequirementClaim
from covey.errors import CoveyError, InputError, RefusedError
from covey.io import read_published
from covey.io.inputs import guarded, opened
from covey.io.location import locate
from covey.io.reading import published
from covey.recount.classes import Recount, classes_of, recount, tracks
from covey.recount.few_columns import recount_few
from covey.recount.readings import Units
from covey.recount.requirements import recount_requirements
from covey.recount.tables import Keyed, judge_tables, recount_tables
from covey.report.certificate import promise_of
from covey.utils.seal import TABLE, Finding, Seal, compared, rows_hash

if TYPE_CHECKING:
    from collections.abc import Iterator

    from covey.utils.arrow import Table
    from covey.utils.typing import Codes

ON_THE_ORIGINAL = "only who has the original amounts can check it"
NOT_COMPARED = "not compared, for nothing in the file shows it"
NO_UNITS = "units were counted, and they are not published; only who has the original can count them again"


@dataclass(frozen=True)
class Certified:
    """All that was found of a file and its certificate."""

    findings: list[Finding] = field(default_factory=list)
    not_compared: tuple[str, ...] = ()
    """What else the certificate says, such as the method: nothing in the file shows whether it is so."""

    @property
    def passed(self) -> bool:
        """Whether no claim fails."""
        return all(finding.holds is not False for finding in self.findings)

    def to_text(self) -> str:
        """One line a claim."""
        verdicts = {True: "holds", False: "FAILS", None: "not checked"}
        lines = [
            f"{finding.claim}: {verdicts[finding.holds]}" + (f" ({finding.said})" if finding.said else "")
            for finding in self.findings
        ]
        if self.not_compared:
            lines.append(f"{NOT_COMPARED}: {', '.join(self.not_compared)}")
        return "\n".join(lines) + "\n"

    def to_json(self) -> str:
        """The same as JSON."""
        claims = [asdict(one) for one in self.findings]
        content = {"passed": self.passed, "claims": claims, "not_compared": list(self.not_compared)}
        return json.dumps(content, indent=2) + "\n"


def check_certificate(
    source: str | Path,
    certificate: str | Path,
    *,
    second: str | Path | None = None,
    format: str | None = None,  # noqa: A002
) -> Certified:
    """Compare a published file with its public certificate, and count again what it claims.

    Parameters
    ----------
    source
        What `covey.io.read` takes, such as a file or a folder of files, or the first file of a network.
    certificate
        The public certificate, as it was written with the release.
    second
        The second table, where the certificate is of two that a key links.
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
    ...     out, claims = pathlib.Path(folder) / "out.csv", pathlib.Path(folder) / "certificate.json"
    ...     _ = done.write(out, certificate=claims, ledger=False)
    ...     covey.check_certificate(out, claims).passed
    True
    """
    content = read_certificate(Path(certificate))
    try:
        if second is not None or "key" in content:
            return Certified(*_of_two(str(source), second, content, format))
        judge = _of_table if Seal(**content["released"][0]).part == TABLE else _of_network
        findings, names = judge(str(source), content, format)
    except CoveyError:
        raise
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        lacks = f" and lacks {error.args[0]}" if isinstance(error, KeyError) else ""
        msg = (
            f"the certificate {Path(certificate).name!r} is damaged{lacks}; needed: the file as --certificate wrote it"
        )
        raise InputError(msg) from None
    return Certified(findings, tuple(name for name in content if name not in names))


def _of_network(source: str, content: dict[str, Any], fmt: str | None) -> tuple[list[Finding], tuple[str, ...]]:
    from covey.network.publish.certified import findings  # which takes a while to load

    return findings(source, content, fmt)


def _of_table(source: str, content: dict[str, Any], fmt: str | None) -> tuple[list[Finding], tuple[str, ...]]:
    table, seal = _look_at(source, fmt)
    claims = Claims.of(content)
    findings = [*compared(seal, claims.seal), *_counts(_with_names(table, claims), claims), *_words(claims)]
    return findings, COMPARED


def _of_two(
    source: str, second: str | Path | None, content: dict[str, Any], fmt: str | None
) -> tuple[list[Finding], tuple[str, ...]]:
    """Two tables that a key links: what is said of them, and what is not compared."""
    if second is None or "key" not in content:
        given = (
            "one table is given, and the certificate is of two"
            if second is None
            else "two tables are given, and the certificate is of one"
        )
        raise InputError(f"{given}; needed: as many tables as were released (the second by --with)")
    claims, key = Claims.of(content), content["key"]
    looked = [_look_at(source, fmt), _look_at(str(second), None)]
    tables = [_with_names(table, claims) for table, _ in looked]
    findings = [
        one for (_, seal), said in zip(looked, content["released"], strict=True) for one in compared(seal, Seal(**said))
    ]
    there = {name for table in tables for name in table.column_names}
    missing = [name for name in claims.columns if name not in there]
    if missing or any(key not in table.column_names for table in tables):
        findings.append(Finding("the columns", holds=False, said=f"{', '.join(missing) or key} are missing"))
    else:
        keyed = Keyed.of(tables[0], tables[1], key)
        findings += [*_counts_of_two(keyed, claims, content["tables"]), *_words(claims)]
    return findings, tuple(name for name in content if name not in (*COMPARED, "key", "tables"))


def _counts_of_two(keyed: Keyed, claims: Claims, rows: list[int]) -> Iterator[Finding]:
    here = [len(keyed.first), len(keyed.second)]
    yield Finding(f"records = {here[0]} and {here[1]}", here == rows and here[0] == claims.records)
    whole = not keyed.repeated and not keyed.orphans
    yield Finding("every key stands once in the first table, and none in the second alone", whole)
    if whole and here[0]:
        yield from _k(recount_tables(keyed, claims.counted_over), claims)
        for claim in claims.requirements:
            orders = {} if claim.order is None else {claim.column: claim.order}
            try:
                (worst,) = judge_tables(keyed, claims.counted_over, [claim.requirement], orders)
                same = math.isclose(worst.reached, claim.worst_class, rel_tol=1e-9, abs_tol=1e-12)
            except RefusedError:
                same = False
            yield Finding(str(claim.requirement), same)


def read_certificate(path: Path) -> dict[str, Any]:
    """A public certificate that knows its file; an error for anything else."""
    try:
        content = json.loads(guarded(path.name, lambda: path.read_text(encoding="utf-8"), "certificate"))
    except json.JSONDecodeError:
        content = None
    if not isinstance(content, dict) or "covey" not in content:
        msg = f"{path.name!r} is no certificate; needed: the JSON file that --certificate wrote with the release"
        raise InputError(msg)
    if not content.get("released"):
        msg = f"the certificate {path.name!r} does not say which file it is of; needed: one that was written with its release by this version"
        raise InputError(msg)
    return content


def _look_at(source: str, fmt: str | None) -> tuple[Table, Seal]:
    """A published table as a stranger reads it, and its seal."""
    place = locate(source, format=fmt)
    if not place.is_input_file:
        table = read_published(place)
        return table, Seal(rows_hash([table]))
    with opened(place) as inputs:
        table = published(inputs)
        return table, Seal(rows_hash([table]), inputs.sha256())


def _with_names(table: Table, claims: Claims) -> Table:
    """The table under the names that the certificate uses: one that a spreadsheet would run got an apostrophe."""
    meant = {f"'{name}": name for name in claims.columns}
    return table.rename_columns([meant.get(name, name) for name in table.column_names])


def _counts(table: Table, claims: Claims) -> list[Finding]:
    """What is counted again."""
    missing = [name for name in claims.columns if name not in table.column_names]
    if missing:
        return [Finding("the columns", holds=False, said=f"{', '.join(missing)} are missing")]
    records = Finding(f"records = {table.num_rows}", table.num_rows == claims.records)
    if not table.num_rows:
        return [records]
    classes = classes_of([table.column(name) for name in claims.counted_over], table.num_rows)
    if claims.counted_in == "units" and not claims.unit:
        return [records, *_without_units(classes, claims)]
    units = Units.of_column(table.column(claims.unit)) if claims.unit else None
    counted = recount(classes if units is None else tracks(classes, units.number), None)
    return [
        *(records, *_k(counted, claims), *_blocks(table, claims, units), *_few(table, claims)),
        *(_requirement(table, classes, units, claim, linked=claims.linked) for claim in claims.requirements),
    ]


def _without_units(classes: Codes, claims: Claims) -> list[Finding]:
    """The classes where units were counted that are not published; those of linked units are of all of their rows."""
    number = int(classes.max()) + 1
    same = Finding(f"classes = {number}", number == claims.classes)
    counted = [Finding("classes of units", None, NO_UNITS)] if claims.linked else [same]
    asked = [Finding(str(claim.requirement), None, NO_UNITS) for claim in claims.requirements]
    return [*counted, Finding("k in units", None, NO_UNITS), *asked]


def _words(claims: Claims) -> list[Finding]:
    """What the sentences of a certificate say beyond its numbers, and what only the original can show."""
    asked = [str(claim.requirement) for claim in claims.requirements]
    of_blocks = claims.k_asked if claims.blocks else None
    promised = promise_of(
        claims.k_achieved,
        claims.counted_in,
        claims.counted_over,
        asked,
        claims.checked,
        of_blocks,
        linked=claims.linked,
        of_few=claims.of_few,
    )
    agree = claims.promise == promised and asked == [claim.words for claim in claims.requirements]
    sentences = Finding("what it says in words", agree, "" if agree else "this is not what its numbers say")
    return [sentences, *(Finding(words, None, ON_THE_ORIGINAL) for words in claims.checked)]


def _k(counted: Recount, claims: Claims) -> list[Finding]:
    sizes = {str(size): number for size, number in counted.histogram.items()}
    enough = counted.k >= claims.k_asked or bool(claims.blocks) or claims.of_few is not None
    return [
        Finding(f"k = {counted.k}", counted.k == claims.k_achieved and enough),
        Finding("the sizes of classes", sizes == claims.class_sizes and counted.classes == claims.classes),
    ]


def _blocks(table: Table, claims: Claims, units: Units | None) -> list[Finding]:
    """Blocks of columns have k each by itself, with what is known beside them."""
    beside = [name for name in claims.counted_over if not any(name in block for block in claims.blocks)]
    findings = []
    for block in claims.blocks:
        classes = classes_of([table.column(name) for name in (*block, *beside)], table.num_rows)
        k = recount(classes if units is None else tracks(classes, units.number)).k
        findings.append(Finding(f"k of {', '.join(block)} = {k}", k >= claims.k_asked))
    return findings


def _few(table: Table, claims: Claims) -> list[Finding]:
    """Every few columns have k together, where that was asked of those."""
    if claims.of_few is None:
        return []
    counted = recount_few(table, claims.counted_over, claims.of_few.columns)
    enough = counted == claims.of_few and counted.k >= claims.k_asked
    return [Finding(f"k of every {counted.columns} columns = {counted.k}", enough)]


def _requirement(
    table: Table, classes: Codes, units: Units | None, claim: RequirementClaim, *, linked: bool
) -> Finding:
    """Whether the worst class reaches what is claimed."""
    asked = claim.requirement
    orders = {} if claim.order is None else {asked.column: claim.order}
    try:
        (worst,) = recount_requirements(table, classes, units, [asked], orders, linked=linked)
    except RefusedError:
        return Finding(str(asked), holds=False)
    return Finding(str(asked), math.isclose(worst.reached, claim.worst_class, rel_tol=1e-9, abs_tol=1e-12))
