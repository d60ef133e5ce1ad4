"""Two paths create the keys of a dict in different orders, and it is iterated over."""

REFUSED = "StagingError"
CASES = [(1,), (-1,)]


def dicts_in_two_orders(n):
    if n > 0:
        found = {"a": 1, "b": n}
    else:
        found = {"b": n, "a": 4}
    return list(found)
