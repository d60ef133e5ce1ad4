"""Places in sorted lists, known ones and one that grows, found and filled by bisection."""

import bisect

STAGES = ("while_loop", "cond")
CASES = [(0, 65), (1, 95), (5, 60)]


def places_by_bisection(n, score):
    ends, pairs = [], [(1, 2), (4, 3)]
    for i in range(n):
        value = (i * 7) % 5
        at = bisect.bisect_left(ends, value)
        if at == len(ends):
            ends.append(value)
        else:
            ends[at] = value
    bisect.insort(pairs, (n, 0), key=lambda pair: pair[0])
    bisect.insort(ends, 2)
    grade = "FDCBA"[bisect.bisect([60, 70, 80, 90], score)]
    return ends, pairs, grade, bisect.bisect_right(ends, n, 0, 1)
