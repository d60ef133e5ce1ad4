"""`abs`, `len` and `range`: the length of a tensor is a Python number, so the loop unrolls."""

STAGES = ()
CASES = [([3, -1, -7],), ([0],), ([],)]


def builtin_functions(xs):
    total = 0
    for i in range(len(xs)):
        total += abs(xs[i]) * i
    return total + len(xs)
