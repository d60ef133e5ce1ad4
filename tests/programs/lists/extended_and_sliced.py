"""`extend`, `+`, a slice and `sum` of a list of unknown length."""

STAGES = ("while_loop",)
CASES = [(5,), (0,), (1,)]


def extended_and_sliced(n):
    l = []
    for i in range(n):
        l.extend([i, i + 1])
    l = l + [100]
    return l[1:], sum(l)
