"""A search through a graph with a queue of nodes."""

from collections import deque

STAGES = ("while_loop", "cond")
ALWAYS = {"while waiting:": "the start waits"}
CASES = [([[0, 1], [1, 2], [0, 3]], 0), ([[0, 1], [1, 2], [0, 3]], 2), ([[2, 2]], 1), ([], 0)]


def breadth_first(edges, start):
    near = [[] for _ in range(5)]
    for edge in edges:
        near[edge[0]].append(edge[1])
        near[edge[1]].append(edge[0])
    steps = [-1] * 5
    steps[start] = 0
    waiting = deque([start])
    while waiting:
        node = waiting.popleft()
        for other in near[node]:
            if steps[other] == -1:
                steps[other] = steps[node] + 1
                waiting.append(other)
    return steps
