"""The arguments of a caught exception are known although a constant divided a number before."""

STAGES = ("try_except", "cond")
CASES = [(5,), (6,)]


def arguments_past_a_division(n):
    try:
        if n % 3 == 2:
            raise ValueError(n)
    except ValueError as error:
        return error.args[0]
    return 0
