"""Context managers of the user's, made of generators, around the `yield` of another generator."""

import contextlib

STAGES = ("while_loop", "try_except")
CASES = [([1, -2, 3, 4], 2), ([-1], 1), ([], 0), ([5, 6], 9)]


@contextlib.contextmanager
def noting(log, number):
    log.append(number)
    try:
        yield 10
    finally:
        log.append(-number)


def tens(xs, log):
    for x in xs:
        with noting(log, x) as factor, contextlib.nullcontext():
            yield x * factor


def managers_around_yields(xs, most):
    log, total = [], 0
    try:
        for v in tens(xs, log):
            if v > 10 * most:
                raise ValueError("too large")
            total = total * 3 + v
    except ValueError:
        log.append(500)
    return total, log
