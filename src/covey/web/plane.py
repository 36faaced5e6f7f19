"""The plane of risk and loss: its axes, the way of each method, and where there is room for the number at a point."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Point = tuple[float, float]

MARKS = ("circle", "square", "diamond", "up", "down", "cross", "bar")
"""Shapes by which methods are told apart, without colours."""
SIZES = ((310, 288), (380, 288), (560, 288), (800, 384), (1150, 384))
"""Sizes of the plane on a screen, in pixels: a number has room if it has at all of them."""
DOT, DIGIT, HIGH = 16, 8, 14
"""The sizes of a point and of the digits beside it, in pixels."""
AROUND = ((0, -15), (0, 15), (17, 0), (-17, 0), (13, -12), (-13, -12), (13, 12), (-13, 12))
"""Where a number may stand beside its point, the best place first."""


class Box(NamedTuple):
    """A rectangle on the screen: its middle, its width and its height."""

    x: float
    y: float
    width: float
    height: float

    def touches(self, other: Box) -> bool:
        """Whether two rectangles overlap."""
        apart = abs(self.x - other.x) >= (self.width + other.width) / 2
        return not (apart or abs(self.y - other.y) >= (self.height + other.height) / 2)


def rooms(points: Sequence[Point], texts: Sequence[str]) -> list[tuple[int, int] | None]:
    """Where the text of each point stands, in pixels from it, so that nothing overlaps on any screen; None where there is no room.

    Points are percent from the left and from the bottom of the plane; the first get their place first, and the first of all, which has
    a ring, further away.

    >>> rooms([(50.0, 50.0), (90.0, 50.0)], ["5", "10"])
    [(0, -22), (0, -15)]
    """
    dots = [[Box(x * width / 100, -y * height / 100, DOT, DOT) for x, y in points] for width, height in SIZES]
    taken: list[list[Box]] = [[] for _ in SIZES]
    places: list[tuple[int, int] | None] = []
    for number, text in enumerate(texts):
        around = AROUND if number else tuple((round(1.45 * x), round(1.45 * y)) for x, y in AROUND)
        free = (place for place in around if _is_free(place, number, text, dots, taken))
        place = next(free, None)
        places.append(place)
        if place is not None:
            for boxes, own in zip(taken, dots, strict=True):
                boxes.append(_label(own[number], place, text))
    return places


def _label(dot: Box, place: tuple[int, int], text: str) -> Box:
    return Box(dot.x + place[0], dot.y + place[1], DIGIT * len(text) + 2, HIGH)


def _is_free(
    place: tuple[int, int], number: int, text: str, dots: Sequence[Sequence[Box]], taken: Sequence[Sequence[Box]]
) -> bool:
    for own, boxes in zip(dots, taken, strict=True):
        label = _label(own[number], place, text)
        others = (dot for other, dot in enumerate(own) if other != number)
        if any(label.touches(box) for box in (*boxes, *others)):
            return False
    return True


def ticks(most: float) -> list[float]:
    """Round numbers from 0 to at least `most`, for an axis.

    >>> ticks(33.9), ticks(0.7)
    ([0.0, 10.0, 20.0, 30.0, 40.0], [0.0, 0.2, 0.4, 0.6, 0.8])
    """
    power = 10.0 ** math.floor(math.log10(most))
    step = next(step for step in (0.2, 0.25, 0.5, 1.0, 2.0, 2.5) if most <= 5 * step * power) * power
    return [round(place * step, 12) for place in range(math.ceil(most / step - 1e-9) + 1)]


@dataclass(frozen=True)
class Plane:
    """The risk-utility plane: up to which loss and risk it goes, in percent, by round numbers."""

    losses: Sequence[float]
    risks: Sequence[float]

    def place(self, loss: float, risk: float) -> tuple[float, float]:
        """Where a setting lies in the box of the plane: percent from the left and from the bottom.

        >>> Plane(ticks(10.0), ticks(100.0)).place(0.0, 0.0)
        (10.0, 12.0)
        """
        return 10 + 85 * loss / self.losses[-1], 12 + 80 * risk / self.risks[-1]

    def drawn(self, paths: Mapping[str, Sequence[tuple[float, float]]]) -> str:
        """The axes, and for each method the way of its settings."""
        shapes = [_line((loss, 0), (loss, self.risks[-1]), self, "grid" if loss else "axis") for loss in self.losses]
        shapes += [_line((0, risk), (self.losses[-1], risk), self, "grid" if risk else "axis") for risk in self.risks]
        for loss in self.losses:
            shapes.append(_text(self.place(loss, 0)[0], 93, f"{loss:g}", "middle"))
        for risk in self.risks:
            shapes.append(_text(9, 101 - self.place(0, risk)[1], f"{risk:g}", "end"))
        for path in paths.values():
            shapes += [_line(start, end, self, "way") for start, end in itertools.pairwise(path)]
        shapes.append(_text(52, 99, "loss of information, %", "middle"))
        shapes.append(_text(1, 4, "records that would be linked, %", "start"))
        return f'<svg aria-hidden="true">{"".join(shapes)}</svg>'


def _line(start: tuple[float, float], end: tuple[float, float], plane: Plane, kind: str) -> str:
    (x1, y1), (x2, y2) = plane.place(*start), plane.place(*end)
    return f'<line class="{kind}" x1="{x1:.2f}%" x2="{x2:.2f}%" y1="{100 - y1:.2f}%" y2="{100 - y2:.2f}%"/>'


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text class="ink" x="{x:.2f}%" y="{y:.2f}%" font-size="12" text-anchor="{anchor}">{escape(text)}</text>'
