"""Iterations of a loop, and a branch, take items of a generator created before them."""

STAGES = ("while_loop", "cond")
CASES = [([1, -2, 3, 4, 5, 6], 2), ([-1], 1), ([], 0), ([5, 6, 1, 1], 3), ([1, 2], 0), ([3], 0)]


def positive(xs):
    for x in xs:
        if x > 0:
            yield x


def next_in_iterations_and_branches(xs, n):
    numbers, total = positive(xs), 0
    for k in range(n):
        for v in numbers:
            total = total + v * k
            if v > k:
                break
    if total > 3:
        total = total + next(numbers, 100)
    for v in numbers:
        total = total * 5 + v
    return total
