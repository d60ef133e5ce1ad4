"""The middle of a chained comparison is evaluated once, the end only when it is needed."""

PYTHON_ONLY = "counts evaluations"
CASES = [(-1,), (3,), (9,)]


def middle_once(x):
    log = []

    def seen(v):
        log.append(v)
        return v

    inside = seen(0) < seen(x) < seen(5)
    return inside, log
