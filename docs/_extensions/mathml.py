"""Formulas as MathML, which browsers draw themselves: no script, no font and no server is needed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from docutils.nodes import SkipNode
from docutils.utils.math import MathError, latex2mathml
from sphinx.util import logging

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.application import Sphinx

logger = logging.getLogger(__name__)


def inline(writer: Any, node: nodes.Element) -> NoReturn:
    """Write a formula within a sentence."""
    writer.body.append(_mathml(node, as_block=False))
    raise SkipNode


def block(writer: Any, node: nodes.Element) -> NoReturn:
    """Write a formula on a line of its own."""
    writer.body.append(f'<div class="mathml">{_mathml(node, as_block=True)}</div>\n')
    raise SkipNode


def _mathml(node: nodes.Element, *, as_block: bool) -> str:
    try:
        return str(latex2mathml.tex2mathml(node.astext(), as_block=as_block))
    except MathError as error:
        logger.warning("the formula cannot be written as MathML: %s", error, location=node)
        return ""


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the renderer, which `html_math_renderer` names."""
    app.add_html_math_renderer("mathml", (inline, None), (block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
