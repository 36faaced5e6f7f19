"""Grouping on a line: one number a record, solved exactly; groups of different colours."""

from covey.line.anchors import anchor
from covey.line.counterexample import Counterexample, find_counterexample
from covey.line.diversity.mixed import mixed
from covey.line.diversity.solve import diverse
from covey.line.gather import GatherLine
from covey.line.optimal import OptimalLine
from covey.line.streaming import stream

__all__ = ["Counterexample", "GatherLine", "OptimalLine", "anchor", "diverse", "find_counterexample", "mixed", "stream"]
