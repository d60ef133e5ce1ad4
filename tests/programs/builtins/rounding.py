"""Numbers of Python's own: ties to even, digits, whole parts, remainders and modular powers."""

STAGES = ()
CASES = [(2.5, 7), (-3.5, -7), (0.125, 3)]


def rounding(x, n):
    whole, rest = divmod(n, 4)
    return round(x), round(x, 1), int(x), float(n) / 2, whole, rest, pow(n, 5, 13), abs(n)
