"""A Counter gives 0 for a key not counted on the path that was taken, and does not keep it."""

from collections import Counter, defaultdict

STAGES = ("cond",)
CASES = [(0,), (2,)]


def counted_on_some_paths(n):
    counts, sums = Counter(), defaultdict(int)
    for i in range(3):
        if i < n:
            counts["a"] += 1
            sums["a"] += i
    return counts["a"], "a" in counts, sums["a"], "a" in sums
