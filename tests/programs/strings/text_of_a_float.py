"""`float(x)` is a number of Python's, with all its digits, and so is its text."""

STAGES = ("cond",)
CASES = [(3.5, "0.1"), (0.25, "2.5"), (-1.5, "1e3")]


def text_of_a_float(x, text):
    value = float(x)
    if value > 0:
        value = value / 3
    return str(float(x)), f"{value}", str(float(text) * 3), value * x
