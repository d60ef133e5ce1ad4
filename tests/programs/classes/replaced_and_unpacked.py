"""Loop state in a named tuple, a rebound list, a swapped pair and a starred name."""

from collections import namedtuple

STAGES = ("while_loop",)
CASES = [(3,), (1,), (0,)]

State = namedtuple("State", ["count", "total"])


def replaced_and_unpacked(n):
    state, items, a, b = State(0, 0), [1, 2, 3], 0, 1
    for i in range(n):
        state = state._replace(total=state.total + i)
        items = [items[1], items[2], items[0] + i]
        a, b = b, a + b
        first, *rest = items
        state = state._replace(count=first + rest[0])
    return state, items, a, b
