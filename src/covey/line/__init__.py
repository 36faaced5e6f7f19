"""Grouping on a line: one number a record, solved exactly."""

from covey.line.counterexample import Counterexample, find_counterexample
from covey.line.optimal import OptimalLine

__all__ = ["Counterexample", "OptimalLine", "find_counterexample"]
