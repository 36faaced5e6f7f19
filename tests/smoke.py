"""What an installed copy must be able to do, with nothing but what `pip install covey` brings. Run on every wheel that is built.

usage: python tests/smoke.py
"""

from __future__ import annotations

import importlib
import importlib.metadata
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

KERNELS = ("line", "diverse", "space", "network", "treewidth", "uniques")


def main() -> None:
    from pyarrow import csv

    import covey

    home = Path(covey.__file__).parent
    assert Path(__file__).parents[1] / "src" not in home.parents, (
        "the source tree is on the path: the wheel was not tested"
    )
    assert covey.__version__ == importlib.metadata.version("covey")
    for kernel in KERNELS:
        importlib.import_module(f"covey._kernels.{kernel}")
        assert (home / "_kernels" / f"{kernel}.pyi").exists()
    assert (home / "py.typed").exists()
    assert covey.partition([1.0, 2.0, 9.0, 10.0, 11.0], 2).labels.tolist() == [0, 0, 1, 1, 1]
    assert covey.solve([[0.0, 0.0], [0.0, 1.0], [5.0, 5.0], [5.0, 6.0]], 2).loss == 1.0
    assert covey.network.microaggregate([(1, 2), (2, 3)], lower=3, connected=True).radius == 1.0
    patients = covey.datasets.load_patients("pyarrow")
    done = covey.release(patients, k=5, quasi=["age", "sex"], sensitive=["diagnosis"], drop_rest=True)
    assert done.certificate.k >= 5
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "patients.csv", Path(folder) / "released.csv"
        csv.write_csv(patients, source)
        program = shutil.which("covey", path=str(Path(sys.executable).parent))
        assert program is not None
        choices = ["--quasi", "age,sex,region", "--sensitive", "diagnosis", "--drop-rest", "--no-ledger"]
        subprocess.run([program, "release", source, "-o", target, "-k", "5", *choices], check=True, capture_output=True)
        subprocess.run([program, "check", target, "-k", "5", *choices[:2]], check=True, capture_output=True)
    sys.stdout.write(f"covey {covey.__version__} works in {sys.executable}\n")


if __name__ == "__main__":
    main()
