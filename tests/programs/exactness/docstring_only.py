"""A function with nothing but a docstring returns `None`."""

PYTHON_ONLY = "returns None"
CASES = [(1,)]


def docstring_only(x):
    """Does nothing with x."""
