"""`max` and `min` with a key, of a vector and of tuples; the first of equal ones is taken."""

STAGES = ("while_loop",)
CASES = [([3, -5, 5, 1],), ([2],)]


def extremes_by_key(xs):
    far = max(xs, key=abs)
    near = min(xs, key=lambda x: (x - 2) * (x - 2))
    name, value = max([("first", xs[0]), ("first", xs[-1] * 2)], key=lambda pair: pair[1])
    return far, near, value
