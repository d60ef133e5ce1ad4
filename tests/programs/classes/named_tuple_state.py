"""A named tuple rebuilt in every iteration of a loop."""

from typing import NamedTuple

STAGES = ("while_loop",)
CASES = [(6,), (0,), (1,)]


class Pair(NamedTuple):
    last: int
    next: int


def named_tuple_state(n):
    pair = Pair(0, 1)
    for _ in range(n):
        pair = Pair(pair.next, pair.last + pair.next)
    return pair
