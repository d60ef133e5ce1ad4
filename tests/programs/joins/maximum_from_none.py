"""The greatest element, starting from `None`."""

STAGES = ("while_loop", "cond")
CASES = [([-5, -2, -7],), ([3],), ([],)]


def maximum_from_none(xs):
    best = None
    for v in xs:
        if best is None or v > best:
            best = v
    return best
