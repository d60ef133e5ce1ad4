"""`in` a list that grows."""

STAGES = ("while_loop", "cond")
CASES = [(4,), (0,), (1,)]


def without_repetition(n):
    l = []
    for i in range(n):
        if i not in l:
            l.append(i)
        if i * 2 not in l:
            l.append(i * 2)
    return l
