"""An exception of the user's own class arrives with its type, arguments and attributes."""

PYTHON_ONLY = "exceptions"
CASES = [(3,), (-3,)]


class Rejected(ValueError):
    def __init__(self, reason, code):
        super().__init__(reason, code)
        self.code = code


def own_exception(x):
    for i in range(3):
        if x + i < 0:
            raise Rejected("too small", code=i)
    return x
