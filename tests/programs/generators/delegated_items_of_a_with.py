"""A generator with a `with` runs through another one, and in a helper that leaves it early."""

STAGES = ("while_loop", "cond")
CASES = [([1, -2, 3, 4], 2), ([-1], 1), ([], 0), ([5, 6], 9), ([3], 2)]


class Noting:
    def __init__(self, log):
        self.log = log

    def __enter__(self):
        self.log.append(5)

    def __exit__(self, kind, error, traceback):
        self.log.append(6)


def positive(xs, log):
    with Noting(log):
        for x in xs:
            if x > 0:
                yield x


def through(xs, log):
    yield from positive(xs, log)


def until(numbers, most):
    for v in numbers:
        if v > most:
            return v
    return 0


def delegated_items_of_a_with(xs, most):
    log = []
    return until(through(xs, log), most), log
