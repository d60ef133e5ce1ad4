"""Conditional expressions inside each other, as an operand of arithmetic."""

STAGES = ("cond",)
CASES = [(7,), (-7,), (0,)]


def ternary_chain(x):
    return 10 * (1 if x > 0 else -1 if x < 0 else 0)
