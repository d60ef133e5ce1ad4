"""`max` and `min` with a key, and with a default for a Python list without items."""

STAGES = ()
CASES = [(3, -5), (-3, 2)]


def greatest_by_key(x, y):
    farthest = max(x, y, key=abs)
    nearest = min([x, y], key=lambda v: v * v)
    return farthest, nearest, max([], default=x), min((x, y)), any([x > 0, y > 0])
