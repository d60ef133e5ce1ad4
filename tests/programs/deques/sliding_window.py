"""Sums over a window that slides."""

from collections import deque

STAGES = ("while_loop", "cond")
CASES = [([4, 7, 9, 2],), ([5],), ([],)]


def sliding_window(xs):
    held, sums = deque(), []
    for x in xs:
        held.append(x)
        if len(held) > 2:
            held.popleft()
        sums.append(sum(held))
    return sums
