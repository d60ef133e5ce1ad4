"""List methods that change an argument; the caller sees the changes."""

PYTHON_ONLY = "insert, remove and sort have no tensor form"
CASES = [([3, 1, 2], 1), ([5, 4], 4)]


def in_place_methods(xs, v):
    xs.append(v)
    last = xs.pop()
    xs.insert(0, last + 10)
    xs.remove(v)
    if len(xs) > 2:
        xs.sort()
    xs[0], xs[1] = xs[1], xs[0]
    return xs.pop(0), len(xs)
