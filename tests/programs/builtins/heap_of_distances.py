"""Shortest paths by a heap of distances, until the heap is empty or there is a path to a place."""

from heapq import heappop, heappush

STAGES = ("while_loop", "cond")
CASES = [(0, 3), (0, 0), (3, 1), (1, 3)]
ALWAYS = {"while heap:": "the start is in it"}

roads = [(0, 1, 4), (0, 2, 1), (1, 3, 1), (2, 1, 2), (2, 3, 5)]


def heap_of_distances(start, goal):
    distances, heap = [999] * 4, [(0, start)]
    while heap:
        so_far, place = heappop(heap)
        if so_far >= distances[place]:
            continue
        distances[place] = so_far
        if place == goal:
            break
        for a, b, length in roads:
            if a == place:
                heappush(heap, (so_far + length, b))
    return distances, heap
