"""`None` on one path, in `is not`, `not` and a result."""

STAGES = ("cond",)
CASES = [(4,), (-2,)]


def none_in_expressions(x):
    y = None
    if x > 0:
        y = x
    z = y if y is not None else 7
    if not y:
        return z, y
    return z * 2, y
