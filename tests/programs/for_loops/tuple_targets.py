"""A tuple target over Python pairs: the loop is unrolled while tracing."""

CASES = [(2,), (0,), (-1.5,)]
STAGES = ()


def tuple_targets(x):
    total = 0
    for i, weight in enumerate((2, 3, 5)):
        total += weight * x + i
    for a, (b, c) in ((1, (2, 3)), (4, (5, 6))):
        total += a * b * x - c
    return total
