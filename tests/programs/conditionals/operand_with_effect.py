"""An operand of `and`, and a side of a ternary, that change a variable when they are evaluated."""

STAGES = ("cond",)
CASES = [(-1,), (1,), (2,)]


def operand_with_effect(x):
    calls = 0

    def count():
        nonlocal calls
        calls += 1
        return True

    positive = x > 0 and count()
    size = 5 if x > 1 else 6 + count()
    return calls, size, 1 if positive else 0
