"""`break`, `continue` and `return` leave a `with` by its exit, which may swallow an exception."""

import contextlib

PYTHON_ONLY = "a log"
CASES = [("break",), ("continue",), ("return",), ("raise",), ("end",)]


class open_in:
    def __init__(self, log):
        self.close = lambda: log.append("out")


@contextlib.contextmanager
def logged(log):
    with contextlib.suppress(KeyError), contextlib.closing(open_in(log)):
        yield len(log)


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
                raise KeyError
            log.append(i)
    return i, log
