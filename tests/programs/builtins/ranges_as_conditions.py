"""A range is true if there are numbers in it, and a view of a dict if a path gave it keys."""

STAGES = ("cond",)
CASES = [(0, 0), (1, -1), (3, 2)]


def ranges_as_conditions(n, k):
    found = {}
    if k > 0:
        found["k"] = k
    some = 1 if range(n) else 2
    both = len(list(filter(None, [range(n), range(2)])))
    left = bool(range(n)[1:]), not range(k, n), any([range(n), range(k)])
    return some, both, left, bool(found.keys()), len(found.values()), not found.items()
