"""The benchmarks are programs in a folder, not a package: their modules are found like by themselves, after all others."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))
