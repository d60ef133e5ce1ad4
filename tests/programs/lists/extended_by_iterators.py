"""`extend` and `+=` with ranges, generators and iterators whose length only the run knows."""

from collections import deque

STAGES = ("while_loop",)
CASES = [(0,), (1,), (3,)]


def extended_by_iterators(n):
    items, queue = [0], deque([1])
    add = items.extend
    items.extend(range(n))
    items += range(n)
    add(k * k for k in range(n))
    pairs = [(7, 7)]
    pairs.extend(enumerate(range(n)))
    queue.extend(range(n))
    queue.extendleft(reversed(range(n)))
    queue += map(abs, range(n))
    for i in range(n):
        items.extend(range(i))
    return items, pairs, list(queue)
