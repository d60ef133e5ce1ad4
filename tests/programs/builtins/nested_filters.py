"""`filter` of another `filter`: both functions and the body change shared state."""

STAGES = ("cond",)
CASES = [(0,), (1,), (4,)]


def nested_filters(n):
    seen, kept = {"sum": 0}, []

    def is_above(v):
        seen["sum"] += v
        return v > n

    for v in filter(lambda v: v < 3, filter(is_above, [1, 2, 3])):
        kept.append(v)
        if v > n + 1:
            break
    return kept, seen["sum"]
