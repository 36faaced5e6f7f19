"""The functions and types of PySpark, imported when the first is used: `import covey` stays quick, and works without Spark."""

from __future__ import annotations

from typing import TYPE_CHECKING

from covey.utils.extras import Lazy

if TYPE_CHECKING:
    from pyspark.sql import functions, types
else:
    functions, types = Lazy("pyspark.sql.functions"), Lazy("pyspark.sql.types")

__all__ = ["functions", "types"]
