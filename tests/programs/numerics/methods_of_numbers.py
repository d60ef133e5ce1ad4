"""Methods of Python's own numbers where the graph computes the number."""

STAGES = ("cond",)
CASES = [(3.0,), (2.5,), (-8.0,), (0.0,)]


def methods_of_numbers(x):
    number = +float(x)
    whole = int(number)
    kind = "whole" if number.is_integer() else "broken"
    return kind, whole.bit_length(), whole.real - whole.imag, number.hex(), whole.denominator
