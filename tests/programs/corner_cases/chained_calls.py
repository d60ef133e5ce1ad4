"""Each operand of a chained comparison is called for once, and no further than needed."""

STAGES = ("cond",)
CASES = [(-1,), (3,), (9,)]


def chained_calls(x):
    count = 0

    def seen(v):
        nonlocal count
        count = count + 1
        return v

    inside = 0 < seen(x) < seen(5)
    return inside, count
