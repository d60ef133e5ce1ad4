"""Half the exponent each time: a call whose result is used twice."""

STAGES = ("cond", "recursion")
CASES = [(2.0, 10), (3.0, 0), (1.5, 7)]


def power_by_halves(x, n):
    if n == 0:
        return 1.0
    half = power_by_halves(x, n // 2)
    return half * half if n % 2 == 0 else half * half * x
