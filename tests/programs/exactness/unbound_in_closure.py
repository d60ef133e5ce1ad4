"""A variable without a value is a NameError in a closure, an UnboundLocalError where it belongs."""

PYTHON_ONLY = "variables that are not bound"
CASES = [(1,), (0,)]


def kind_of(read):
    try:
        return read()
    except NameError as error:
        return type(error).__name__


def unbound_in_closure(n):
    def deleted(value):
        if n:
            del value
        return kind_of(lambda: value), kind_of(lambda: [value for _ in "a"][0])

    def own(value):
        if n:
            del value
        return value

    return deleted(5), kind_of(lambda: own(6))
