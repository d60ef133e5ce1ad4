"""A default that is a Python number and becomes a tensor in the calls of itself."""

STAGES = ("cond", "recursion")
CASES = [(10,), (0,)]


def sum_with_accumulator(n, total=0):
    if n == 0:
        return total
    return sum_with_accumulator(n - 1, total + n)
