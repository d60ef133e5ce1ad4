"""A list grown in a loop under two names."""

STAGES = ("while_loop", "cond")
CASES = [(5,), (0,), (1,)]


def grown_under_two_names(n):
    l = []
    m = l
    for i in range(n):
        if i % 2 == 0:
            l.append(i)
        else:
            m.append(-i)
    return len(m), m
