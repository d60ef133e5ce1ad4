"""A function given to another function, applied in a loop."""

STAGES = ("while_loop", "cond")
CASES = [(3, 4), (8, 2), (3, 0), (3, 1)]


def function_as_argument(x, n):
    return repeated(step, x, n)


def repeated(function, value, times):
    for _ in range(times):
        value = function(value)
    return value


def step(v):
    return v // 2 if v % 2 == 0 else 3 * v + 1
