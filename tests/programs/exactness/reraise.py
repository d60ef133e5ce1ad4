"""A bare `raise` inside a conditional and `raise ... from` keep the exception chain."""

PYTHON_ONLY = "exceptions"
CASES = [(0,), (1,), (2,)]


def reraise(kind):
    try:
        try:
            {}["missing"]
        except KeyError as error:
            if kind == 0:
                raise
            elif kind == 1:
                raise RuntimeError("again") from error
            return type(error.__context__).__name__
    except RuntimeError as error:
        return type(error.__cause__).__name__
