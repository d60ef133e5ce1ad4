"""Membership and identity tests, and `is None` on a parameter."""

PYTHON_ONLY = "identity"
CASES = [(2, [1, 2]), (None, [1]), (3, [])]


def in_and_is(x, xs):
    if x is None:
        return "none"
    if x in xs and x not in (7, 8):
        return xs.index(x)
    return x is not xs
