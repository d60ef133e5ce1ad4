"""A test of one element, whatever its shape, is a test."""

ARRAYS = True
STAGES = ("cond",)
CASES = [([[3]],), ([[-3]],)]


def one_element_test(x):
    if x > 0:
        y = x * 2
    else:
        y = -x
    return y
