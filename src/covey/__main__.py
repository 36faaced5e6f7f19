"""The program `covey`, and `python -m covey`. Loads nothing by itself: Ctrl-C ends it in one line also while Python loads the rest."""

import os
import sys


def program() -> None:
    """Run the command line."""
    try:
        from covey.cli import run
    except KeyboardInterrupt:
        sys.stderr.write("covey: interrupted; no output was written\n")
        sys.stderr.flush()
        os._exit(130)
    run()


if __name__ == "__main__":
    program()
