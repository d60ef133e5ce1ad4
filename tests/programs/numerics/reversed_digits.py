"""A number with its digits reversed, and whether it reads the same."""

STAGES = ("while_loop",)
CASES = [(1234,), (7,), (1221,), (0,)]


def reversed_digits(n):
    rest, result = n, 0
    while rest > 0:
        result = result * 10 + rest % 10
        rest //= 10
    return result, result == n
