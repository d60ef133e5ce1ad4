"""A comprehension over the rows of a tensor; its target is no variable of the function."""

STAGES = ()
CASES = [([1, 2, 3], 10), ([5, 0, -1], 2), ([1], 10), ([], 10)]


def mapped_rows(xs, k):
    v = k
    squares = [v * v + k for v in xs]
    return sum(squares) + v, squares[-1]
