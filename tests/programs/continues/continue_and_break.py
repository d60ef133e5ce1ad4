"""`continue` and `break` in one loop."""

STAGES = ("while_loop",)
CASES = [([1, -2, 3, 0, 5],), ([0],), ([-1, -1],), ([],)]


def continue_and_break(xs):
    total = 0
    for v in xs:
        if v < 0:
            continue
        if v == 0:
            break
        total += v
    return total
