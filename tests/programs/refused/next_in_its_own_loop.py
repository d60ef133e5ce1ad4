"""`next` of the iterator that the enclosing `for` iterates over."""

REFUSED = "StagedIterationError"
CASES = [([1, 2, 3], 1), ([5], 2)]


def next_in_its_own_loop(xs, n):
    rows, total = iter(xs), 0
    for x in rows:
        if x > n:
            total += next(rows, 0)
    return total
