"""Functions of Python's module `math` that take points, or floats apart."""

import math

STAGED_ONLY = "math.ldexp takes an int of Python's and nothing else"
STAGES = ()
CASES = [(3.0, 4), (-0.75, 2), (0.0, 0), (1024.0, 1)]


def distances_and_powers_of_two(x, n):
    apart = math.dist([x, n], (0.0, 1.5))
    mantissa, exponent = math.frexp(x)
    steps = math.ulp(x), math.nextafter(x, n), math.nextafter(x, math.inf)
    return apart, mantissa, exponent, math.ldexp(x, n), math.ldexp(mantissa, exponent) == x, steps
