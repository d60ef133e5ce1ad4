"""A name that is only annotated is a local variable without a value, in nested functions too."""

PYTHON_ONLY = "a variable that is not bound"
CASES = [(1,), (0,)]
size = 3


def annotated_but_unbound(n):
    def inner(wanted):
        size: int
        if wanted:
            size = 5
        return size

    def never():
        size: int
        return size

    try:
        return inner(n), never()
    except UnboundLocalError as error:
        return type(error).__name__
