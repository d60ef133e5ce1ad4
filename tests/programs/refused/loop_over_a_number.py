"""A number has no elements to iterate over."""

REFUSED = "StagedIterationError"
NAMES = "a scalar int32 tensor"
CASES = [(3,)]


def loop_over_a_number(x):
    total = 0
    for v in x:
        total += v
    return total
