"""Starred and nested targets, in assignments and displays, on tensors."""

STAGES = ("cond",)
CASES = [(3,), (-3,)]


def starred_targets(x):
    if x > 0:
        first, *rest = (x, x + 1, x + 2)
        (a, b), c = (1, x), 3
    else:
        first, *rest = (-x, 0, 1)
        (a, b), c = (x, 2), 1
    merged = [*rest, first, *(a, b)]
    table = {**{"k": c}, "m": first}
    return merged, table["k"] + table["m"]
