"""A list that is returned, and changed by the `finally` around the `return`."""

STAGES = ("cond",)
CASES = [(3,), (-3,)]


def changed_in_finally(x):
    log = []
    try:
        log.append(1)
        if x < 0:
            return log
        log.append(2)
    finally:
        log.append(3)
    return log
