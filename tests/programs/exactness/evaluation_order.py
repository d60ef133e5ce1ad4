"""Calls, subscripts and assignments evaluate their parts from left to right, values first."""

PYTHON_ONLY = "counts evaluations"
CASES = [(1,), (0,)]


def evaluation_order(x):
    log = []

    def seen(v):
        log.append(v)
        return v

    def take(*args, **kwargs):
        return len(args) + len(kwargs)

    table = {}
    table[seen("key")] = seen("value")
    n = take(seen(1), *seen([2, 3]), seen(4), k=seen(5), **seen({"m": 6}))
    if seen(x) and seen("right") or seen("last"):
        n += seen(10)
    return log, table, n
