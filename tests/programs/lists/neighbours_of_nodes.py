"""Two lists are picked out of one by tensors and grow; they may be the same."""

STAGES = ("while_loop",)
CASES = [([[0, 1], [1, 2], [2, 2]],), ([],), ([[0, 1]],)]


def neighbours_of_nodes(edges):
    near = [[] for _ in range(3)]
    for edge in edges:
        first, second = edge[0], edge[1]
        near[first].append(second)
        near[second].append(first)
    return near
