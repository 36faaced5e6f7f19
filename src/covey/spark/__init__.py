"""The same release on a Spark cluster: the table stays distributed from read to write."""

from covey.spark.release import SparkRelease, release
from covey.spark.writing import write_release

__all__ = ["SparkRelease", "release", "write_release"]
