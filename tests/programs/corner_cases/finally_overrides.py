"""A `return` in `finally` replaces the one in the `try`, and it alone counts."""

STAGES = ("cond",)
CASES = [(4,), (-4,), (0,)]


def finally_overrides(x):
    result = x
    try:
        if x > 0:
            return result * 10
        result = result - 1
    finally:
        result = result + 100
        if x < 0:
            return result
    return result
