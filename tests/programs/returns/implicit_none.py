"""A path without `return` gives `None`."""

PYTHON_ONLY = "None has no tensor form"
CASES = [(3,), (-3,)]


def implicit_none(x):
    if x > 0:
        return x
