"""A `with` around a `yield` ends where the generator goes on, or is left by the loop."""

STAGES = ("while_loop", "cond")
CASES = [([1, -2, 3, 4], 2), ([-1], 1), ([], 0), ([5, 6], 9), ([3], 2)]


class Noting:
    def __init__(self, log, number):
        self.log, self.number = log, number

    def __enter__(self):
        self.log.append(self.number)
        return self

    def __exit__(self, *error):
        self.log.append(-self.number)


def positive(xs, log):
    with Noting(log, 50) as outer:
        for x in xs:
            with Noting(log, 60):
                if x > 0:
                    yield x + outer.number


def with_around_a_yield(xs, most):
    log, total = [], 0
    for v in positive(xs, log):
        if v - 50 > most:
            break
        log.append(v)
        total = total * 3 + v
    return total, log, list(positive(xs, log))
