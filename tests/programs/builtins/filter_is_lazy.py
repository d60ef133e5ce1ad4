"""`filter` takes an item, and calls its function, only when the next result is needed."""

STAGES = ("cond",)
CASES = [(0,), (1,), (3,)]


def filter_is_lazy(n):
    asked = []

    def is_above(v):
        asked.append(v)
        return v > n

    odd = filter(lambda v: v % 2, [1, 2, 3, 4, 5])
    first = next(odd)
    found = next(filter(is_above, odd), -1)
    return first, found, asked
