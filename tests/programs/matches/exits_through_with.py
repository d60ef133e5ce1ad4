"""A `return` in a case leaves the context manager around the `match`."""

from contextlib import contextmanager

STAGES = ("cond",)
CASES = [(0,), (1,), (2,)]


def exits_through_with(x):
    log = []

    @contextmanager
    def noted(name):
        log.append(len(name))
        yield name
        log.append(-len(name))

    with noted("block"):
        match x:
            case 0:
                return 5, sum(log)
            case 1:
                x = x + 10
    return x, len(log)
