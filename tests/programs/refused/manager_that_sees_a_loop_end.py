"""A manager around a `yield` that looks at its end would see the loop's, not the generator's."""

import contextlib

REFUSED = "StagedIterationError"
NAMES = "suppress"
CASES = [([1, -2, 3],), ([-1],)]


def positive(xs):
    with contextlib.suppress(ValueError):
        for x in xs:
            if x > 0:
                yield x


def manager_that_sees_a_loop_end(xs):
    total = 0
    for v in positive(xs):
        total = total * 3 + v
    return total
