"""A list is kept as the best; the next one is a new list."""

STAGES = ("while_loop", "cond")
CASES = [(3,), (1,), (0,)]


def kept_before_a_new_list(n):
    best = None
    hyp = []
    for i in range(n):
        hyp = hyp + [i]
        if best is None or i % 2 == 0:
            best = hyp
    return best, hyp
