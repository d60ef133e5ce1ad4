"""A branch that changes several variables, read by each other afterwards."""

STAGES = ("cond",)
CASES = [(1, 2), (2, 1), (1.5, -4.0)]


def several_variables(a, b):
    if a > b:
        a, b = b, a
        swapped = True
    else:
        swapped = False
    return a, b, swapped
