"""A note is what it is about and whether it may be published; its sentence is for readers."""

from __future__ import annotations

import pickle
import re
from pathlib import Path

import pyarrow as pa
import pytest

import covey
from covey.utils.notes import Note, NoteKind

SOURCE = Path(__file__).parents[2] / "src" / "covey"
ASKS_THE_TEXT = re.compile(
    r"in (str\()?note\b(?!s)(?! in)|note(\.text)?\.(startswith|endswith|split|find|removeprefix)\(|str\(note\)\."
)


def test_a_note_is_printed_as_its_sentence_and_compared_as_a_whole() -> None:
    note = Note(NoteKind.MISSING, "3 ages are missing")
    assert (f"{note}", note.public) == ("3 ages are missing", False)
    assert note == pickle.loads(pickle.dumps(note))  # noqa: S301
    assert len({note, Note(NoteKind.MISSING, note.text), Note(NoteKind.CODING, note.text)}) == 2


@pytest.mark.parametrize("path", sorted(SOURCE.rglob("*.py")), ids=lambda path: str(path.relative_to(SOURCE)))
def test_no_code_decides_by_the_text_of_a_note(path: Path) -> None:
    asked = [line for line in path.read_text(encoding="utf-8").splitlines() if ASKS_THE_TEXT.search(line)]
    assert asked == []


@pytest.mark.filterwarnings("ignore::covey.memory.SmallGroupsWarning")
def test_the_public_report_has_the_notes_that_are_public(tmp_path: Path) -> None:
    table = pa.table({"age": [*range(38), None, None], "code": ["=1+1", *"abcdefghijklmnopqrstuvwxyz" * 2][:40]})
    done = covey.release(table, 2, quasi=["age"], keep=["code"], accept=["code"], missing="own-group")
    kinds = {note.kind for note in done.report.notes}
    assert {NoteKind.K_IS_TWO, NoteKind.MISSING, NoteKind.EXPOSURE} <= kinds
    assert [note.kind for note in done.report.public().notes] == [NoteKind.K_IS_TWO]
    written = done.write(tmp_path / "out.csv", report=tmp_path / "public.txt", ledger=False)
    assert [(note.kind, note.public) for note in written] == [(NoteKind.WRITING, True)]
    told = [line for line in (tmp_path / "public.txt").read_text().splitlines() if line.startswith("note: ")]
    assert [line.removeprefix("note: ")[:6] for line in told] == ["k is 2", "column"]
    assert done.report.as_dict()["notes"] == [note.text for note in done.report.notes]
