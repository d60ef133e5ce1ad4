"""A context manager that ends without a `finally` does nothing when the loop is left early."""

import contextlib

REFUSED = "StagedIterationError"
NAMES = "do that work in a `finally`"
CASES = [([1, 2],), ([4],)]


@contextlib.contextmanager
def noting(log):
    yield
    log.append(2)


def positive(xs, log):
    with noting(log):
        for x in xs:
            if x > 0:
                yield x


def generator_left_in_a_manager(xs):
    log = []
    for v in positive(xs, log):
        if v > 1:
            break
    return log
