"""The median of the numbers so far, by two heaps that are kept of one length."""

from heapq import heappop, heappush, heappushpop

STAGES = ("while_loop", "cond")
CASES = [(0,), (1,), (6,)]


def running_median(n):
    low, high, medians = [], [], []
    for i in range(n):
        heappush(low, -heappushpop(high, (i * 7) % 11))
        if len(low) > len(high):
            heappush(high, -heappop(low))
        medians.append(high[0] * 1.0 if len(high) > len(low) else (high[0] - low[0]) / 2)
    return medians
