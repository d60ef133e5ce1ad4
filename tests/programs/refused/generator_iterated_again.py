"""The rest of a generator over a tensor is not known after a `for` that a tensor ends."""

REFUSED = "StagedIterationError"
CASES = [([1, 2, 3, 4],), ([1],)]
NAMES = "iter(...) over tensors"


def generator_iterated_again(xs):
    above, total = (x + 1 for x in xs if x > 1), 0
    for x in above:
        if x > 3:
            break
    for x in above:
        total = total * 10 + x
    return total
