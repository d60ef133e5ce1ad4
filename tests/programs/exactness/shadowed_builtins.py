"""A parameter and a local function that hide builtins are the ones that are called."""

PYTHON_ONLY = "a function as argument"
CASES = [(4,), (-4,)]


def shadowed_builtins(x):
    def abs(v):
        return "own abs"

    len = lambda v: 99
    if x > 0:
        return abs(x), len("a")
    return len([]), max(x, 0)
