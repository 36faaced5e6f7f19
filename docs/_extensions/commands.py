"""Directives of the reference: `covey-help`, what a command prints when it is asked for help; `covey-choices`, all choices of a release."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
from typing import TYPE_CHECKING

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from covey.recipe.choice import Panel, choices_of, default_of
from covey.recipe.recipe import Recipe
from covey.recipe.roles import Roles

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


class ChoicesDirective(SphinxDirective):
    """No arguments: every choice by panel, from the fields that options and checks are made of."""

    def run(self) -> list[nodes.Node]:
        """Return a list for each panel."""
        lines: list[str] = []
        kinds = {f.name: (f.type, default_of(f)) for kind in (Roles, Recipe) for f in dataclasses.fields(kind)}
        for panel in Panel:
            entries = {name: found for name, found in choices_of(Roles, Recipe).items() if found.panel is panel}
            lines += [f".. rubric:: {panel.value}", ""] if entries else []
            for name, found in entries.items():
                option = found.flag or f"--{name.replace('_', '-')}"
                written = f" (``{option}{f' {found.form.metavar}' if found.form.metavar else ''}``)" * found.is_option
                kind, default = kinds[name]
                usual = "" if default is dataclasses.MISSING or name == "roles" else f" = ``{default!r}``"
                lines += [f"``{name}``{written}: ``{kind}``{usual}", f"   {found.text}", ""]
        return self.parse_text_to_nodes("\n".join(lines))


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directives."""
    app.add_directive("covey-help", HelpDirective)
    app.add_directive("covey-choices", ChoicesDirective)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
