"""A lambda that is a default value, and one inside of another, are the user's own."""

STAGES = ("cond",)
CASES = [(3,), (-3,)]


def lambda_in_default(x, change=lambda v: v * 2 if v > 0 else v - 1):
    return (lambda f: f(change(x)))(lambda v: v + 1 if v > 5 else -v)
