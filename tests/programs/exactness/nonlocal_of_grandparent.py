"""A `nonlocal` that reaches past the function around it."""

PYTHON_ONLY = "names and cells"
CASES = [(1,), (0,)]


def nonlocal_of_grandparent(x):
    value = x

    def middle():
        read = lambda: value
        if value:

            def inner():
                nonlocal value
                value = 2

            inner()
        return value, read()

    return middle(), value
