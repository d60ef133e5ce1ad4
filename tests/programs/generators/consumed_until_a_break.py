"""Loops that end early, over generators that tidy up when they end, or would go on for ever."""

STAGES = ("cond", "while_loop")
CASES = [(5, 3), (0, 2), (9, 100), (4, 0)]


def counted(n, log):
    k = 0
    try:
        while k < n:
            yield k
            k += 1
    finally:
        log.append(k)


def doubling():
    k = 1
    while True:
        yield k
        k = k * 2


def first_above(limit):
    for v in doubling():
        if v > limit:
            return v


def consumed_until_a_break(n, limit):
    log, total = [], 0
    for v in counted(n, log):
        if v == 2:
            continue
        total += v
        if total > limit:
            break
    else:
        total = -total
    return total, log[0], first_above(limit)
