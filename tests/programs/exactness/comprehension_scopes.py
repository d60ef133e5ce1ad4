"""The target of a comprehension is no variable of the function; a walrus in it is."""

PYTHON_ONLY = "comprehensions"
CASES = [([3, 4],), ([],)]


def comprehension_scopes(xs):
    v = "kept"
    last = None
    doubles = [last := v * 2 for v in xs]
    table = {v: [w for w in range(v)] for v in xs}
    return v, last, doubles, table, {v % 2 for v in xs}
