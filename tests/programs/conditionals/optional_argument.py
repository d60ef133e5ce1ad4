"""`is None` of a Python value is decided while tracing."""

STATIC = (1,)
STAGES = ("cond",)
CASES = [(3, None), (3, 10), (-3, 10)]


def optional_argument(x, limit):
    if limit is None:
        limit = 2
    same = x
    if x is not None and same is x and x > limit - 1:
        return limit
    return x
