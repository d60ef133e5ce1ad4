"""A list grows while the graph iterates over it, as the work list of a search does."""

STAGES = ("while_loop", "cond")
CASES = [(0,), (1,), (3,)]


def grown_while_iterated(n):
    work = []
    for i in range(n):
        work.append(i)
    total = 0
    for v in work:
        total += v
        if v > 0:
            work.append(v - 1)
    return total, len(work)
