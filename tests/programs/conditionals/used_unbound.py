"""A variable bound on one path and used on the other raises when the graph runs."""

NO_GRAPH = "its error message is in the words of the running Python"
STAGES = ("cond",)
CASES = [(3,), (-3,)]


def used_unbound(x):
    if x > 0:
        y = x * 10
    return y + 1
