"""The directive `covey-help`: what a command of the command line prints when it is asked for help."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

if TYPE_CHECKING:
    from sphinx.application import Sphinx


class HelpDirective(SphinxDirective):
    """Arguments: the words of the command."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """Return what is printed, as it is."""
        command = [sys.executable, "-m", "covey", *self.arguments[0].split(), "--help"]
        environment = os.environ | {"COLUMNS": "96", "TERMINAL_WIDTH": "96", "NO_COLOR": "1"}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)  # noqa: S603
        printed = done.stdout.strip()
        return [nodes.literal_block(printed, printed, language="none")]


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directive."""
    app.add_directive("covey-help", HelpDirective)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
