"""A function that reads a variable of the function around it."""

STAGES = ("cond",)
CASES = [(5, 3), (2, 3)]


def closure(x, limit):
    def clipped(v):
        if v > limit:
            return limit
        return v

    return clipped(x) + clipped(x + 1)
