"""A deque with a largest length lets go of its first items, or its last ones."""

from collections import deque

STAGES = ("while_loop",)
CASES = [([4, 7, 9, 2],), ([5],), ([],)]


def last_few(xs):
    last, first, sums = deque(maxlen=3), deque([0], maxlen=2), []
    for x in xs:
        last.append(x)
        first.appendleft(x)
        sums.append(sum(last))
    return list(last), list(first), sums, len(last), last.maxlen
