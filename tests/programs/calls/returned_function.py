"""A function that makes functions; the functions it returns are called later."""

STAGES = ("cond",)
CASES = [(7,), (1,)]


def returned_function(x):
    above_three = threshold(3)
    above_five = threshold(5)
    return above_three(x) + 10 * above_five(x)


def threshold(limit):
    def test(v):
        if v > limit:
            return 1
        return 0

    return test
