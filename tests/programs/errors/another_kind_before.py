"""A variable is of another kind before the `try` than whenever something in it may raise."""

STAGES = ("try_except", "cond")
CASES = [(7,), (3,)]


def another_kind_before(n):
    z = []
    try:
        z = n
        if n > 5:
            raise ValueError
    except ValueError:
        pass
    return z
