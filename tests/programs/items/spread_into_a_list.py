"""A dict with an item of one path is spread into a list, which has no such item: refused."""

REFUSED = "StagingError"
NAMES = "'b'"
CASES = [(2,), (-1,)]


def spread_into_a_list(x):
    d = {"a": 1}
    if x > 0:
        d["b"] = x
    return [*d]
