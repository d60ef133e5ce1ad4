"""Comprehensions in a branch and in a loop, and a choice in an element."""

STAGES = ("cond", "while_loop")
CASES = [([1, 2, 3], 2), ([1, 2, 3], -2), ([4, 0, 4], 1), ([], 2), ([1], 2), ([], -2), ([1], -2)]


def inside_staged_code(xs, n):
    total = 0
    for i in range(n):
        total += sum([v if v > i else -v for v in xs])
    if n > 0:
        parts = [v * n for v in xs]
    else:
        parts = [v for v in xs]
    return total, parts
