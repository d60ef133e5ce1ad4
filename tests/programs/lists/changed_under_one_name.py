"""One path assigns a new list, which is changed, and the old one is read."""

STAGES = ("cond",)
CASES = [(1,), (-1,)]


def changed_under_one_name(c):
    l = [0]
    m = l
    if c > 0:
        l = l + [1]
    l.append(2)
    return l, m
