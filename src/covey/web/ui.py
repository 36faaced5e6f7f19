"""The elements of NiceGUI, imported when the first is shown: commands that have no page do not wait for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from covey.utils.extras import Lazy

if TYPE_CHECKING:
    from nicegui import ui
else:
    ui = Lazy("nicegui.ui")

__all__ = ["ui"]
