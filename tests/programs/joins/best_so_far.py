"""`None` before the loop, the best so far after it."""

STAGES = ("while_loop", "cond")
CASES = [(4,), (0,), (1,)]


def best_so_far(n):
    b = None
    w = []
    for i in range(n):
        w.append((7 * i) % 5)
        if b is None or w[-1] > b:
            b = w[-1]
    return b, w
