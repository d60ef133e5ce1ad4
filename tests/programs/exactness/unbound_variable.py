"""A variable bound on one path only, used on the other: the error is Python's own."""

PYTHON_ONLY = "an unbound variable"
CASES = [(True, True), (True, False), (False, False), (False, True)]


def unbound_variable(bind, use):
    if bind:
        y = 1
    if use:
        return y
    return 0
