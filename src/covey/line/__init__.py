"""Grouping on a line: one number a record, solved exactly; groups of different colours."""

from covey.line.anchors import anchor
from covey.line.counterexample import Counterexample, find_counterexample
from covey.line.diversity.solve import diverse
from covey.line.optimal import OptimalLine
from covey.line.streaming import stream

__all__ = ["Counterexample", "OptimalLine", "anchor", "diverse", "find_counterexample", "stream"]
