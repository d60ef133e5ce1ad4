"""A long loop over Python values becomes as many operations."""

NO_GRAPH = "it is long"
STAGES = ("cond",)
CASES = [(3,), (-3,)]


def long_python_loop(x):
    total = 0
    for i in range(120):
        if x > i:
            total += x
        else:
            total -= 1
    return total
