"""`break`, `continue` and `return` leave a `with` by its exit, which may swallow an exception."""

PYTHON_ONLY = "a log"
CASES = [("break",), ("continue",), ("return",), ("raise",), ("end",)]


class Logged:
    def __init__(self, log):
        self.log = log

    def __enter__(self):
        self.log.append("in")
        return len(self.log)

    def __exit__(self, kind, error, trace):
        self.log.append(kind and kind.__name__)
        return kind is KeyError


def break_through_with(how):
    log = []
    for i in range(3):
        with Logged(log) as place, Logged(log):
            if i == 1:
                if how == "break":
                    break
                if how == "continue":
                    continue
                if how == "return":
                    return place, log
                if how == "raise":
                    raise KeyError(i)
            log.append(i)
    else:
        log.append("else")
    return i, log
