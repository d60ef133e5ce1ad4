"""Loops that end early, over generators that tidy up when they end, or would go on for ever."""

STAGES = ("cond", "while_loop")
CASES = [(5, 3), (1, 5), (0, 2), (9, 100), (4, 0)]
ALWAYS = {"for v in doubling():": "it is endless"}


def counted(n, log, k=-1):
    try:
        for k in range(n):
            yield k
    finally:
        log.append(k)


def doubling():
    k = 1
    while True:
        yield (k := k * 2)


def first_above(limit):
    for v in doubling():
        if v > limit:
            return v


def consumed_until_a_break(n, limit):
    log, total = [], 0
    for v in counted(n, log):
        total += v
        if total > limit:
            break
    return total, log[0], first_above(limit)
