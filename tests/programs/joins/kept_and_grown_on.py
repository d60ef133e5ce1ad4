"""A list is kept as the best, and goes on growing."""

STAGES = ("while_loop", "cond")
CASES = [(3,), (1,), (2,), (0,)]


def kept_and_grown_on(n):
    best = None
    hyp = []
    for i in range(n):
        hyp.append(i)
        if best is None or i % 2 == 0:
            best = hyp
    return best
