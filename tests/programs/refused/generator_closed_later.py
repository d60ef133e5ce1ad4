"""A generator that another leaves early and holds is closed when the other ends."""

REFUSED = "StagedIterationError"
NAMES = "close"
CASES = [(5,), (2,), (0,)]


def counted(n, log):
    try:
        for k in range(n):
            yield k
    finally:
        log.append(100)


def some(numbers, log):
    for v in numbers:
        if v > 2:
            break
        yield v
    log.append(50)
    yield -1


def generator_closed_later(n):
    total, log = 0, []
    for v in some(counted(n, log), log):
        total = total * 2 + v
    return total, log
