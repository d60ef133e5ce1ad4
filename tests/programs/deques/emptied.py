"""Taking an item from an empty deque raises the error that Python raises."""

from collections import deque

STAGES = ("while_loop",)
CASES = [(2,), (3,), (0,), (1,)]


def emptied(n):
    waiting = deque([1, 2])
    total = 0
    for _ in range(n):
        total += waiting.popleft()
    return total, len(waiting)
