"""A `return` in the body of a `try` skips its `else`, in a loop and out of two of them."""

PYTHON_ONLY = "exceptions"
CASES = [(0,), (1,), (2,), (3,), (4,)]


def try_else_after_return(n):
    log = []
    for i in range(3):
        while True:
            try:
                if i == n:
                    return log
                if i + 1 == n:
                    raise KeyError(i)
                log.append(("body", i))
            except KeyError as error:
                log.append(("handler", error.args))
                break
            else:
                log.append(("else", i))
                break
            finally:
                log.append(("finally", i))
    return log, "end"
