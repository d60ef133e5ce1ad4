"""A generator with a `finally` that a variable holds is closed where its function ends."""

STAGES = ("cond", "while_loop")
CASES = [(5, 2), (3, 9), (0, 1), (1, 0)]


def counted(n, log):
    try:
        for k in range(n):
            log.append(k)
            yield k
    finally:
        log.append(100)


def place_above(numbers, limit):
    place = 0
    for i, v in enumerate(numbers):
        if v > limit:
            break
        place = i
    return place + 1


def closed_at_the_end_of_its_holder(n, limit):
    log = []
    place = place_above(counted(n, log), limit)
    rest = counted(n, log)
    return place, next(rest, -1), log
