"""A loop between returns: before it, in it and after it."""

STAGES = ("while_loop", "cond")
CASES = [(-1, 3), (2, 3), (40, 3), (2, 0), (100, 3)]


def return_in_both_and_loop(x, n):
    if x < 0:
        return 0
    for i in range(n):
        x = x + i
        if x > 40:
            return x * 10
    if x == 5:
        return 55
    return x
