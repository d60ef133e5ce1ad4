"""Square root by Newton's method until the square is near enough."""

STAGES = ("while_loop",)
CASES = [(2.0,), (9.0,), (0.25,), (1.0,), (1.01,)]


def newton_sqrt(x):
    guess = x
    while abs(guess * guess - x) > 0.0001 * x:
        guess = 0.5 * (guess + x / guess)
    return guess
