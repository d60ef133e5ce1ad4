"""Lists compared, and their truth."""

STAGES = ("while_loop", "cond")
CASES = [(4,), (-2,), (1,)]


def compared(x):
    l = []
    for i in range(x):
        l.append(i)
    return l == [0, 1, 2, 3], l != [], not l
