"""`any` of a generator goes no further than the first that holds: the next item would fail."""

STAGES = ("cond",)
CASES = [([5, 0],), ([50, 1],), ([20, 10],)]


def any_stops_early(xs):
    found = any(10 // x > 1 for x in [xs[0], xs[1]])
    return found, all(x >= 0 for x in [xs[0], xs[1]])
