"""A called function is converted too: its conditional reaches the graph."""

STAGES = ("cond",)
CASES = [(3, -4), (-3, 4)]


def user_function(x, y):
    return 10 * magnitude(x) + magnitude(y)


def magnitude(v):
    if v < 0:
        return -v
    return v
