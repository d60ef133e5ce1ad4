"""A conditional inside a `for`: counts by sign."""

STAGES = ("while_loop", "cond")
CASES = [([3, -1, 0, -5],), ([0],), ([],)]


def if_in_for(xs):
    positive = 0
    negative = 0
    for v in xs:
        if v > 0:
            positive += 1
        elif v < 0:
            negative += 1
    return positive, negative
