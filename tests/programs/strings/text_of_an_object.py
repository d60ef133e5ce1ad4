"""The text of a dataclass or attrs instance and of a named tuple has the values of the run."""

from dataclasses import dataclass
from typing import NamedTuple

import attrs

STAGES = ("cond",)
CASES = [(3,), (-3,)]


class Pair(NamedTuple):
    a: int
    b: str


@dataclass
class Point:
    x: int

    def __str__(self):
        return f"right {int(self.x)}" if self.x > 0 else "left"


@attrs.frozen
class Card:
    value: object
    suits: list


def text_of_an_object(n):
    x = n * 2 if n > 0 else -n
    pair, point = Pair(int(x), "p"), Point(int(n))
    card = str(Card(Point(int(x)), [int(n), "s"]))
    return f"{pair} {point!r:>15}", card, "{!s:>9}|".format(point), "%s" % (pair,), repr([point])
