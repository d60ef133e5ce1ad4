"""attrs objects are ordered, converted by `astuple` and `asdict`, and None on one path."""

import attrs

STAGES = ("cond",)
CASES = [(3,), (-3,), (5,)]


@attrs.define(order=True)
class Card:
    value: int
    suit: int


def attrs_class_ordered(n):
    first, second = Card(n, 1), Card(3, n)
    high = first if first > second else second
    kept = None
    if n > 4:
        kept = Card(n, 0)
    return attrs.astuple(high), attrs.asdict(first), -1 if kept is None else kept.value
