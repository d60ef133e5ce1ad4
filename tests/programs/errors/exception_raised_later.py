"""An exception that was caught is kept on one path, and raised later, or the cause of another."""

STAGES = ("try_except", "cond")
CASES = [(7,), (3,), (-7,), (-12,)]


def exception_raised_later(n):
    last = None
    for i in (0, 1):
        try:
            if n > i + 4:
                raise ValueError(f"big {i}")
        except ValueError as error:
            last = error
    if last is not None:
        raise last
    if n < 0:
        raise KeyError("low") if n < -9 else TypeError("low")
    return n
