"""A nested function refers to itself through its cell, reads a tensor and counts its calls."""

STAGES = ("cond", "recursion")
CASES = [(2.5, 4), (1.0, 0)]


def recursive_closure(x, n):
    calls = 0

    def climb(i):
        nonlocal calls
        calls = calls + 1
        return x if i <= 0 else climb(i - 1) + climb(i - 2) * x

    return climb(n), calls
