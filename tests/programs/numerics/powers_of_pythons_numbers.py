"""Powers and shifts of Python's own numbers raise the errors that Python raises."""

STAGES = ("try_except",)
CASES = [(3,), (0,), (-2,)]


def powers_of_pythons_numbers(n):
    k = int(n)
    try:
        inverse = k**-1
    except ZeroDivisionError:
        inverse = -1.0
    try:
        shifted = 5 << k
    except ValueError:
        shifted = -5
    return inverse, shifted, abs(float(n)) ** 0.5
