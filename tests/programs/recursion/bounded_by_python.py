"""A Python number ends it, so each call is traced on its own, whatever a tensor decides in it."""

STATIC = (1,)
STAGES = ("cond",)
CASES = [(3, 4), (-5, 4), (0, 0)]


def bounded_by_python(x, depth):
    if depth == 0:
        return x
    if x > 0:
        return bounded_by_python(x - 2, depth - 1) + 1
    return bounded_by_python(x + 3, depth - 1)
