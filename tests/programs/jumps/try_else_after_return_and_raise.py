"""A `try` has an `else`, and each way out of its body is taken in a branch of a tensor."""

STAGES = ("cond", "try_except")
CASES = [(0.2, 6.0), (0.7, 6.0), (0.7, 1.0), (2.0, 1.0), (0.9, 9.0)]


def try_else_after_return_and_raise(y, n):
    b = y
    try:
        if y > 1.0:
            raise KeyError
        if y > 0.5:
            if n > 3.0:
                return y * 7.0
        if n > 5.0:
            raise LookupError
    except KeyError:
        b = -y
    except LookupError:
        b = y / 2.0
    else:
        b = 1.0 + y
    return b
