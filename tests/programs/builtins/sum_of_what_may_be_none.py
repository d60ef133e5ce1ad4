"""Items that may be None are summed: a test before each says there is one, or Python raises."""

STAGES = ("while_loop", "cond")
SIZED = "max() compares each of them"
CASES = [([3, 1, 4], 2), ([3, 1, 4], 9), ([0], 0), ([], 1)]


def sum_of_what_may_be_none(values, limit):
    best = None
    for value in values:
        if value > limit:
            best = value
    filled = [best if best is not None else value for value in values]
    return sum([best if best is not None else i for i in range(limit)]), max([*filled, limit])
