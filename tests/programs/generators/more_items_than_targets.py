"""Python takes one item more than there are targets, and then says that there are too many."""

STAGES = ("cond", "while_loop", "try_except")
CASES = [(5,), (3,), (2,), (1,), (0,)]


def counted(n, seen):
    for k in range(n):
        seen.append(k)
        yield k * 2


def two_of(make, n, seen):
    try:
        a, b = make(n, seen)
    except ValueError:
        return -1
    return a * 10 + b


def more_items_than_targets(n):
    seen = []
    found = [two_of(counted, n, seen)]
    found.append(two_of(lambda n, seen: (v + 1 for v in counted(n, seen)), n, seen))
    found.append(two_of(lambda n, seen: map(lambda k: seen.append(k) or k, range(n)), n, seen))
    return found, seen
