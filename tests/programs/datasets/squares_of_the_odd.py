"""A dataset mapped and filtered by functions with conditionals, which are converted."""

import runtime as rt

STAGES = ("while_loop",)
CASES = [(7, 20), (1, 0), (0, 5)]
ALWAYS = {
    "if x % 2 == 0:": "a function that a dataset is given is traced, and not called",
    "for x in numbers": "the way through it cannot be counted, since that function is converted",
}


def square_if_odd(x):
    if x % 2 == 0:
        return -x
    return x * x


def squares_of_the_odd(count, limit):
    numbers = rt.data.Dataset.range(count).map(square_if_odd)
    total = rt.constant(0, rt.int64)
    for x in numbers.filter(lambda x: x > 0 and x < rt.cast(limit, rt.int64)):
        total += x
    return total
