"""`and`, `or` between a condition on a tensor and a Python number: the value is the operand's."""

STAGES = ("cond",)
CASES = [(3,), (0,), (-3,)]


def tensor_and_number(x):
    return x and 5, x or 7, 2 and x, 0 or x, (x > 0 and x) or 9
