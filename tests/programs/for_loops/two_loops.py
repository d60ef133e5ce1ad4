"""Two loops one after the other; the second reads the result of the first."""

STAGES = ("while_loop",)
CASES = [([4, 1, 3],), ([-2],), ([],)]


def two_loops(xs):
    total = 0
    for v in xs:
        total += v
    above = 0
    for v in xs:
        above += v * len(xs) - total
        total = total + 1
    return total, above
