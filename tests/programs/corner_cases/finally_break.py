"""A `break` or `continue` in `finally` swallows the exception, and the `return`, on its way."""

PYTHON_ONLY = "exceptions"
CASES = [(0,), (1,), (2,), (3,), (4,)]


def finally_break(n):
    log = []
    for i in range(4):
        try:
            log.append(i)
            if i == n:
                raise ValueError(i)
            if i == 3:
                return log, "returned"
        finally:
            if n == 1:
                continue
            if n < 3:
                break
    else:
        log.append("else")
    return log, "after"
