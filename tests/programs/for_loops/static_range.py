"""`range` over a Python number: the graph holds the iterations one by one."""

STATIC = (1,)
STAGES = ()
CASES = [(2, 5), (2, 0), (1.5, 2), (2, 1)]


def static_range(x, n):
    result = 1
    for _ in range(n):
        result = result * x
    return result
