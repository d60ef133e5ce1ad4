"""A list of pairs, over which a second loop iterates."""

STAGES = ("while_loop",)
CASES = [(3,), (0,), (1,)]


def list_of_pairs(n):
    l = []
    for i in range(n):
        l.append((i, i * 2.5))
    t = 0.0
    for a, b in l:
        t += a * b
    return l, t
