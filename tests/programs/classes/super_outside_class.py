"""`super()` in a function of no class raises the error that Python raises there."""

PYTHON_ONLY = "it raises, whatever it is given"
CASES = [(1,), (0,)]


def orphan(self):
    return super().__repr__()


def super_outside_class(x):
    try:
        if x:
            return orphan(x)
        return orphan([x])
    except RuntimeError as error:
        return type(error).__name__
