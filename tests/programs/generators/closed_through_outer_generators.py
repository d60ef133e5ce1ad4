"""A generator is closed by outer generators that iterate over it and share state with it."""

STAGES = ("cond", "while_loop")
CASES = [(4, 2), (0, 1), (7, 3), (5, 20)]


def counted(n, log):
    try:
        k = 0
        while True:
            if k >= n:
                break
            yield k
            log.append(k)
            k = k + 1
    finally:
        log.append(100)


def some(items, seen, m):
    for v in items:
        seen[0] += v
        yield v + 1
        seen[0] *= 2
        if seen[0] > m:
            return


def closed_through_outer_generators(n, m):
    log, seen = [], [0]
    return sum(some(some(counted(n, log), seen, m), seen, m)), log, seen
