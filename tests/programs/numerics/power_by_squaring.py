"""Integer powers by repeated squaring."""

STAGES = ("while_loop", "cond")
CASES = [(3, 9), (2, 0), (5, 1)]


def power_by_squaring(base, exponent):
    result = 1
    while exponent > 0:
        if exponent % 2 == 1:
            result = result * base
        base = base * base
        exponent = exponent // 2
    return result
