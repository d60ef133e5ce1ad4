"""Starred targets, nested targets and swaps, in assignments and in loops."""

PYTHON_ONLY = "unpacking of unknown lengths"
CASES = [([1, 2, 3, 4],), ([1, 2],)]


def star_unpacking(xs):
    first, *middle, last = xs
    (a, b), *rest = [(first, last), *middle]
    sums = []
    for head, *tail in ([1, 2, 3], (4,), "xyz"):
        sums.append((head, len(tail)))
    a, b = b, a
    return a, b, middle, rest, sums, [*xs, *middle]
