"""A walrus in a comprehension binds in the function; the target of the comprehension does not."""

PYTHON_ONLY = "comprehensions"
CASES = [([3, 1, 4],), ([],)]


def walrus_in_comprehension(xs):
    v = "outer"
    if any((hit := v) > 2 for v in xs):
        found = hit
    else:
        found = None
    rest = [w for v in xs if (w := v % 2) or v > 3]
    pairs = {v: [inner := v + u for u in range(2)] for v in xs}
    try:
        return v, found, rest, pairs, inner, w
    except UnboundLocalError as error:
        return v, found, rest, pairs, type(error).__name__
