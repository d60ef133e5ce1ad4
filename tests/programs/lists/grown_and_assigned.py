"""A list that a loop appends to and assigns items of."""

STAGES = ("while_loop", "cond")
CASES = [(5,), (1,), (0,)]


def grown_and_assigned(n):
    l = [1, 2]
    for i in range(n):
        l[0] = l[0] + i
        l.append(l[-1] + l[-2])
    return l[3] if len(l) > 3 else -1, l
