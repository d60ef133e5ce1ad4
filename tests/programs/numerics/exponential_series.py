"""Terms of the exponential series until they no longer matter."""

STAGES = ("while_loop",)
ALWAYS = {"while abs(term) > 0.000001:": "the first term is one"}
CASES = [(0.5,), (1.0,), (-0.5,), (0.0,)]


def exponential_series(x):
    total = 1.0
    term = 1.0
    k = 1.0
    while abs(term) > 0.000001:
        term = term * x / k
        total += term
        k += 1.0
    return total
