"""Targets within targets, over generators: as many items are taken as Python takes of each."""

STAGES = ("cond", "while_loop", "try_except")
CASES = [(5,), (3,), (2,), (1,), (0,)]


def counted(n, seen):
    for k in range(n):
        seen.append(k)
        yield k * 2


def both(n, seen):
    yield counted(n, seen)
    yield n


def more_pairs_than_targets(n):
    seen, a, b, c = [], -1, -1, -1
    try:
        (a, b), c = both(n, seen)
    except ValueError:
        seen.append(50)
    try:
        (_, i), (_, j) = enumerate(counted(n, seen))
        c = i + j
    except ValueError:
        seen.append(60)
    return a, b, c, seen
