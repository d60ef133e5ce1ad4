"""A list that grew in a loop of the graph is unpacked; its length is checked in each run."""

STAGES = ("while_loop",)
CASES = [(2,), (3,), (1,), (5,), (0,)]


def unpacked_after_it_grew(n):
    items = []
    for i in range(n):
        items.append(i)
    first, *others = items
    a, *middle, b = items[:3]
    return first, others, a + b, middle
