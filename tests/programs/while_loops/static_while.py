"""A loop on a Python value is run while tracing: the graph holds its iterations one by one."""

STATIC = (1,)
STAGES = ()
CASES = [(3, 4), (3, 0), (3, 1)]


def static_while(x, n):
    while n > 0:
        x = x * n
        n -= 1
    return x
