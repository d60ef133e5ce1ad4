"""`math.prod` and `math.fsum` iterate over rows, lists and generators."""

import math

STAGES = ()
CASES = [([1.5, 2.0, 4.0],), ([0.5, -2.0, 3.0],), ([1.5],), ([],)]


def sums_and_products_of_the_math_module(values):
    lengths = math.sqrt(math.fsum(v * v for v in values))
    both = [values[0], values[-1]]
    return math.prod(values), math.prod(values, start=2), math.fsum(both), lengths
