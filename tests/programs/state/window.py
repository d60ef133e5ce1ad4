"""A deque of fixed length, pushed to in a loop, holds the last values."""

from collections import deque

STAGES = ("while_loop",)
CASES = [([1, 2, 3, 4],), ([7],), ([],)]


def window(xs):
    last = deque([0, 0, 0], maxlen=3)
    for x in xs:
        last.append(x)
    return tuple(last), last[0]
