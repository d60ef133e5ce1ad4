"""A variable bound on one path may be used where that path was taken."""

NO_GRAPH = "its error message is in the words of the running Python"
STAGES = ("cond",)
CASES = [(3, 1), (3, 0), (-3, 0)]


def bound_on_one_path(x, use):
    if x > 0:
        y = x * 10
    if use > 0:
        return y
    return 0
