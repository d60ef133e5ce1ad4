"""Two paths create keys in different orders: iterating over them is refused."""

CASES = [(0,), (1,)]
REFUSED = "StagingError"
NAMES = "'found'"


def keys_in_different_orders(n):
    found, last = {}, 0
    if n > 0:
        found["x"] = 1
    found["y"] = 2
    found["x"] = 3
    for value in found.values():
        last = value
    return last
