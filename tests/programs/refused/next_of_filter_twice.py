"""How far the first `next` has come is known when the graph runs, and no list is at hand."""

REFUSED = "StagedIterationError"
CASES = [(0,), (1,)]


def next_of_filter_twice(n):
    above = filter(lambda v: v > n, [1, 2, 3])
    return next(above), next(above, 0)
