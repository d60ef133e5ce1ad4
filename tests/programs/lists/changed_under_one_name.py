"""A list made anew on one path, changed, and the old one read."""

STAGES = ("cond",)
CASES = [(1,), (-1,)]


def changed_under_one_name(c):
    l = [0]
    m = l
    if c > 0:
        l = l + [1]
    l.append(2)
    return l, m
