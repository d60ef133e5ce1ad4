"""`continue` at the end of one branch, code after the conditional for the other."""

STAGES = ("while_loop", "cond")
CASES = [([5, 12, 7, 30],), ([11],), ([],)]


def continue_in_else(xs):
    small = 0
    large = 0
    for v in xs:
        if v < 10:
            small += v
        else:
            large += v
            continue
        small += 1
    return small, large
