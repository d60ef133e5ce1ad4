"""`next` of an iterator in a branch and in loops: each carries how far it has come."""

STAGES = ("cond", "while_loop")
CASES = [([1, 2, 3], 2), ([4, 5], 0), ([1, 2, 3, 4], 1), ([7], 1), ([1, 1, 1, 1], 0)]


def next_in_branches_and_loops(xs, n):
    rows, total = iter(xs), 0
    for _ in range(n):
        total = total * 10 + next(rows)
    if n > 1:
        total = total * 10 + next(rows, 9)
    while total < 3:
        total += next(rows, 5)
    return total, list(rows)
