"""A generator over Python numbers with a condition on a tensor, iterated over later."""

STAGES = ("cond",)
CASES = [(0,), (1,), (2,), (3,)]


def generator_filtered_by_a_tensor(n):
    total = 0
    for square in (v * v for v in [1, 2, 3] if v > n):
        total = total * 10 + square
    above = (v for v in range(4) if v > n)
    return total, next(above), list(v for v in (1, 2) if v < n)
