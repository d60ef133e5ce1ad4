"""`continue` and `break` inside `try` skip `else` but never `finally`."""

PYTHON_ONLY = "exceptions"
CASES = [(5,), (0,)]


def try_with_jumps(n):
    log = []
    for i in range(n):
        try:
            if i == 1:
                continue
            if i == 2:
                raise ValueError(i)
            if i == 3:
                break
        except ValueError as error:
            log.append(("except", error.args))
        else:
            log.append("else")
        finally:
            log.append(("finally", i))
    return log
