"""A Python loop whose `break` depends on a tensor."""

STAGES = ("cond",)
CASES = [(3,), (1,), (50,)]


def static_loop_break(limit):
    total = 0
    for v in (2, 4, 8, 16):
        if v > limit:
            break
        total += v
    return total
