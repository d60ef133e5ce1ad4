"""A `try` catches the errors of the graph's run: a bad index, a raised exception."""

STAGES = ("cond", "while_loop")
CASES = [([1, 2, 3], 1), ([1, 2, 3], 7), ([1, -2, 3], 2), ([0], 0), ([], 1)]


class Negative(Exception):
    pass


def positive(v):
    if v < 0:
        raise Negative(v)
    return v


def caught_at_run_time(xs, i):
    log = 0
    try:
        for v in xs:
            log = log * 10 + positive(v)
        found = xs[i]
    except (IndexError, ValueError):
        found = -1
    except Negative as error:
        found = error.args[0] * 100
    else:
        log += 1000
    finally:
        log += 10000
    return found, log
