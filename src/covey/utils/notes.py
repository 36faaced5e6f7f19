"""`Note`: a sentence of a report, what it is about, and whether it may be published."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class NoteKind(Enum):
    """What a note is about. Code asks for the kind, never for words of the sentence."""

    K_IS_TWO = "k is 2"
    LEDGER = "earlier releases of the same records, or a ledger that cannot be used"
    READING = "what was noticed while a table was read"
    WRITING = "how the file differs from the table"
    SESSION = "where a computation may leave values"
    TYPES = "a column that is published in another type"
    MISSING = "missing values"
    LABELS = "labels of hierarchies that are published"
    CODING = "values that were moved to an end"
    DISTANCES = "how distances are measured, and what groups are made for"
    LEFT_OUT = "records that are left out because they cost most"
    SMALL_CELLS = "strata or patterns below k"
    SPELLINGS = "ids of units that are read as the same"
    WHOLE_UNITS = "cells in which all rows of a unit share a group"
    LINKED_UNITS = "units that are released as wholes"
    LINKED_TABLES = "in which rows two linked tables are measured"
    DERIVED = "columns that are made from released rows of a unit"
    EDITS = "released values that were moved to hold a rule"
    WEIGHTS = "how weights are published"
    RARE_WEIGHTS = "published weights that few records share"
    IDENTIFIERS = "identifiers that are replaced"
    OWN_VALUES = "groups whose value gives a member away"
    TOTALS = "totals that are not shown"
    EXPOSURE = "published columns that may undo the grouping"
    SENSITIVE = "what the classes show of a sensitive column"
    SAMPLED = "what was taken from rows drawn at random"
    NETWORK = "what was noticed of a network, or done to it"


@dataclass(frozen=True)
class Note:
    """A sentence for the report; only what is `public` may stand in a public one.

    Examples
    --------
    >>> print(Note(NoteKind.MISSING, "3 ages are missing"))
    3 ages are missing
    """

    kind: NoteKind
    text: str
    public: bool = False

    def __str__(self) -> str:
        return self.text
