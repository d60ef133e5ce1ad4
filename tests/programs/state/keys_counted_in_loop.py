"""A Counter and a defaultdict get keys in a loop that may not run at all."""

from collections import Counter, defaultdict

STAGES = ("while_loop",)
CASES = [(3,), (0,), (1,)]


def keys_counted_in_loop(n):
    counts, sums = Counter(), defaultdict(int)
    for i in range(n):
        counts["turns"] = counts.get("turns", 0) + 1
        sums["all"] += i
    return counts.get("turns", 0), sums["all"]
