"""A loop whose test is a Python value at first and a tensor after one iteration."""

STAGES = ("while_loop",)
ALWAYS = {"while total < 40:": "the sum starts at zero"}
CASES = [(3,), (50,)]


def python_test_becomes_tensor(x):
    total = 0
    while total < 40:
        total = total + x
    return total
