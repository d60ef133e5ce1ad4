"""Exponential moving average; its start is the first element."""

STAGES = ("while_loop",)
ALWAYS = {"for v in xs": "there is a first one"}
CASES = [([1.0, 2.0, 4.0, 8.0],), ([3.0],), ([],)]


def moving_average(xs):
    average = xs[0]
    for v in xs:
        average = 0.75 * average + 0.25 * v
    return average
