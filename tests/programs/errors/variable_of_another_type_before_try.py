"""A variable has another type before the `try` than wherever something in it may raise."""

STAGES = ("try_except", "cond")
CASES = [(7,), (3,)]


def variable_of_another_type_before_try(n):
    z = []
    try:
        z = n
        if n > 5:
            raise ValueError
    except ValueError:
        pass
    return z
