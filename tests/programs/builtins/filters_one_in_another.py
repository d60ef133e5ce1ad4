"""`filter` of what another `filter` leaves: both functions and the body change what they share."""

STAGES = ("cond",)
CASES = [(0,), (1,), (4,)]


def filters_one_in_another(n):
    seen, kept = {"sum": 0}, []

    def is_above(v):
        seen["sum"] += v
        return v > n

    for v in filter(lambda v: v < 3, filter(is_above, [1, 2, 3])):
        kept.append(v)
        if v > n + 1:
            break
    return kept, seen["sum"]
