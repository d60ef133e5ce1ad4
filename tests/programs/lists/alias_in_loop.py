"""A list known by two names and changed in a loop of the graph."""

STAGES = ("while_loop",)
CASES = [(0,), (3,), (1,)]


def alias_in_loop(n):
    items = [1, 2]
    same = items
    for _ in range(n):
        items[0] = items[0] + same[0]
    return same[0], items[0]
