"""The `finally` of a generator runs where the loop over its items raises when the graph runs."""

STAGES = ("try_except",)
CASES = [([1, -2, 3, 4], 2), ([-1], 1), ([], 0), ([5, 6], 9)]


def noted(xs, log):
    for x in xs:
        log.append(x)
        try:
            if x == 6:
                raise KeyError("of the generator")
            yield 10 * x
        finally:
            log.append(-x)


def finally_after_an_error_in_the_consumer(xs, most):
    log, total = [], 0
    try:
        for v in noted(xs, log):
            if v > 10 * most:
                raise ValueError("too large")
            total = total * 3 + v
    except ValueError:
        log.append(500)
    except KeyError:
        log.append(600)
    return total, log
