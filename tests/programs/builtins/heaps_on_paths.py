"""Heaps of whole numbers and of objects, made, pushed to, replaced in and emptied too far."""

import heapq
from dataclasses import dataclass

STAGES = ("while_loop", "cond")
CASES = [(0, 1), (1, 2), (4, 3), (2, 0)]


@dataclass(order=True)
class Job:
    due: int
    cost: int


def heaps_on_paths(n, k):
    heap, jobs = [], [Job(3, k), Job(k, 1)]
    heapq.heapify(jobs)
    for i in range(n):
        heapq.heappush(heap, (i * 7) % 5)
        if len(heap) > 2:
            k += heapq.heapreplace(heap, k)
    heapq.heappush(jobs, Job(2, n))
    k += heapq.heappushpop(heap, 1)
    first = heapq.heappop(jobs)
    return first, jobs, heapq.nlargest(2, heap), heapq.nsmallest(1, heap), heapq.heappop(heap), k
