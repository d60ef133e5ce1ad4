"""A deque shows its items, and its bound, though only the run knows how many there are."""

from collections import deque

STAGES = ("cond",)
CASES = [(3,), (-3,)]


def text_of_a_grown_deque(x):
    items, last = deque([1]), deque([(1, "a"), (2, "b")], maxlen=2)
    if x > 0:
        items.append(2)
        last.append((3, "c"))
    return str(items), f"{last}", repr([deque([int(x)])])
