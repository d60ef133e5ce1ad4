"""Generators with a `finally`, left early by helpers that hold them and end after their loops."""

STAGES = ("cond", "while_loop")
CASES = [(5, 2), (3, 9), (0, 1), (1, 0)]


def counted(n, log):
    try:
        for k in range(n):
            log.append(k)
            yield k
    finally:
        log.append(100)


def first_above(numbers, limit):
    for v in numbers:
        if v > limit:
            return v


def closed_by_a_helper(n, limit):
    log = []
    first = first_above(counted(n, log), limit)
    log.append(50)
    numbers = counted(n, log)
    is_found = limit in numbers
    numbers.close()
    log.append(60)
    return first, is_found, log
