"""Both branches return the same structure: a tuple with a list and a dictionary."""

STAGES = ("cond",)
CASES = [(2, 5), (5, 2)]


def return_structures(a, b):
    if a < b:
        return a, [b, a + b], {"low": a, "high": b}
    else:
        return b, [a, a - b], {"low": b, "high": a}
