"""Python values that every call passes on decide while tracing; each has a body of its own."""

STAGES = ("cond", "recursion")
CASES = [(4,), (0,)]


def python_parameters(n):
    return fold(n, "add"), fold(n, "multiply", start=1)


def fold(n, how, *, start=0):
    if n == 0:
        return start
    rest = fold(n - 1, how, start=start)
    return rest + n if how == "add" else rest * n
