"""A test on a Python value is decided once, while tracing: no conditional reaches the graph."""

STATIC = (1,)
STAGES = ()
CASES = [(3, True), (3, False)]


def static_test(x, double):
    if double:
        return x * 2
    return x + 1
