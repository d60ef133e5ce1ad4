"""Items are added and removed at both ends, and the deque is rotated."""

from collections import deque

STAGES = ("while_loop", "cond")
ALWAYS = {"return [item * 2": "at least two were put in"}
CASES = [([4, 7, 9, 2], 1), ([5], -3), ([], 1)]


def both_ends(xs, n):
    items = deque()
    for x in xs:
        if x > 4:
            items.append(x)
        else:
            items.appendleft(x)
    items.rotate(n)
    items.extendleft([n, 8])
    items.extend([1])
    items[0] += 100
    last = items.pop()
    return [item * 2 for item in items], last, items[0], items[-1], 9 in items, bool(items)
