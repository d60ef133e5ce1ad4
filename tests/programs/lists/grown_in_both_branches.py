"""A list that both branches grow, by one item and by two."""

STAGES = ("cond",)
CASES = [(3,), (-3,)]


def grown_in_both_branches(x):
    l = [x]
    m = l
    if x > 0:
        l += [x * 2]
    else:
        l.append(-x)
        l.append(1)
    return m, m is l
