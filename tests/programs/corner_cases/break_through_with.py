"""`break`, `continue` and `return` leave a `with` by its exit, which may swallow an exception."""

import contextlib

PYTHON_ONLY = "a log"
CASES = [("break",), ("continue",), ("return",), ("raise",), ("end",)]


@contextlib.contextmanager
def logged(log):
    with contextlib.suppress(KeyError):
        log.append("in")
        try:
            yield len(log)
        finally:
            log.append("out")


def break_through_with(how):
    log = []
    for i in range(3):
        with logged(log) as place, logged(log):
            if i == 1 and how == "break":
                break
            if i == 1 and how == "continue":
                continue
            if i == 1 and how == "return":
                return place, log
            if i == 1 and how == "raise":
                raise KeyError(i)
            log.append(i)
    return i, log
