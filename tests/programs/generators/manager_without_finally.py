"""A context manager without a `finally` around a `yield`, in a loop that goes to the end."""

import contextlib

STAGES = ("while_loop",)
CASES = [([1, -2, 3],), ([-1],), ([],), ([4],)]


@contextlib.contextmanager
def noting(log):
    log.append(1)
    yield
    log.append(2)


def positive(xs, log):
    for x in xs:
        with noting(log):
            if x > 0:
                yield x
            log.append(3)


def manager_without_finally(xs):
    log, total = [], 0
    for v in positive(xs, log):
        total = total * 3 + v
    return total, log
