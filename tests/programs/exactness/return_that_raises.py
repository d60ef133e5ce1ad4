"""When the value of a `return` raises and the exception is caught, the function goes on."""

PYTHON_ONLY = "exceptions"
CASES = [(4,), (0,)]


def return_that_raises(x):
    try:
        return 12 // x
    except ZeroDivisionError:
        pass
    return "went on"
