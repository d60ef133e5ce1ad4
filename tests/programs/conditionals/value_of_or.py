"""`or` and `and` give one of their operands, not a truth value."""

STAGES = ("cond",)
CASES = [(0, 7), (3, 7), (3, 0)]


def value_of_or(x, default):
    chosen = x or default
    both = x and default
    return chosen, both
