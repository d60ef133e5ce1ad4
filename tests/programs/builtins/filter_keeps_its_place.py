"""`filter` takes no more than it is asked for, and asks its function no sooner."""

STAGES = ("cond",)
CASES = [(0,), (1,), (3,)]


def filter_keeps_its_place(n):
    asked = []

    def is_above(v):
        asked.append(v)
        return v > n

    odd = filter(lambda v: v % 2, [1, 2, 3, 4, 5])
    first = next(odd)
    found = next(filter(is_above, odd), -1)
    return first, found, asked
