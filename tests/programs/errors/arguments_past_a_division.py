"""The arguments of what is caught are known although a number was divided by a constant before."""

STAGES = ("try_except", "cond")
CASES = [(5,), (6,)]


def arguments_past_a_division(n):
    try:
        if n % 3 == 2:
            raise ValueError(n)
    except ValueError as error:
        return error.args[0]
    return 0
