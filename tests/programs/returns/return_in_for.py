"""A `return` inside a `for`, with a value for the case that none is found."""

STAGES = ("while_loop",)
CASES = [([1, 7, 9], 5), ([1, 2, 3], 5), ([6], 5), ([], 5)]


def return_in_for(xs, limit):
    for v in xs:
        if v > limit:
            return v
    return -1
