"""`float(n)` of an int with more digits than float32 holds keeps them all."""

STAGES = ("cond",)
CASES = [(99999999,), (123456789,), (-7,)]


def float_of_a_large_int(n):
    half = float(n) / 2
    if n > 0:
        half += float(n) - 1
    return half
