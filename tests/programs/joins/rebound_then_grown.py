"""A branch in a loop assigns a new list, which the loop then changes."""

STAGES = ("while_loop", "cond")
CASES = [(3,), (1,), (0,)]


def rebound_then_grown(n):
    items = [0]
    for i in range(n):
        if i > 0:
            items = items + [i]
        items.append(-i)
    return items
