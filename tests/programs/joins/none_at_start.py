"""A loop variable that is `None` until the first iteration gives it a value."""

STAGES = ("while_loop", "cond")
CASES = [(3,), (1,), (0,)]


def none_at_start(n):
    y = None
    i = 0
    while i < n:
        i += 1
        y = i * 100 if y is None else y + i
    return y
