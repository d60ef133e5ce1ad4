"""Causes, contexts, notes and bare `raise` are as Python leaves them."""

PYTHON_ONLY = "exceptions"
CASES = [("cause",), ("none",), ("context",), ("bare",), ("group",)]


class Coded(ValueError):
    def __init__(self, text, code):
        super().__init__(text)
        self.code = code


def fail(kind):
    try:
        {}["missing"]
    except KeyError as error:
        if kind == "cause":
            raise Coded("caused", 7) from error
        if kind == "none":
            raise Coded("alone", 8) from None
        if kind == "bare":
            raise
        raise Coded("in passing", 9)


def exceptions_linked(kind):
    try:
        fail(kind)
    except (Coded, KeyError) as error:
        links = error.__cause__, error.__context__, error.__suppress_context__
        return type(error), error.args, getattr(error, "code", None), [repr(e) for e in links]
