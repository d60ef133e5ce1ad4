"""A `return` in `finally` replaces the exception or the value on its way out."""

PYTHON_ONLY = "exceptions"
CASES = [(True, True), (True, False), (False, True), (False, False)]


def finally_return(fail, replace):
    try:
        if fail:
            raise KeyError("lost")
        return "tried"
    finally:
        if replace:
            return "replaced"
