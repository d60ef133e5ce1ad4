"""Each iteration creates a new list, of a length that changes."""

STAGES = ("while_loop",)
CASES = [(4,), (2,), (1,), (0,)]


def rebound_and_cut(n):
    l = [9]
    for i in range(n):
        l = l + [i]
        l = l[:3]
    return l
