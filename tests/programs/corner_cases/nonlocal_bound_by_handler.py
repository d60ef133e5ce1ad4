"""A handler binds the variable of an outer function, in a function that begins with its `try`."""

PYTHON_ONLY = "exceptions"
CASES = [(0,), (2,)]


def nonlocal_bound_by_handler(n):
    caught, log = 1, []

    def ratio():
        nonlocal caught
        try:
            log.append(6 // n)
        except ZeroDivisionError as caught:
            log.append(str(caught))
            return n or "none"

    def is_bound():
        try:
            return caught == 1
        except NameError:
            return False

    return ratio(), is_bound(), log
