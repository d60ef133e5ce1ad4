"""The default of `min` and `max` keeps its kind: None, or a number of another kind."""

STAGES = ("cond",)
ARRAYS = True
CASES = [([1, 2], 0), ([3, -1], 2)]
DIFFERS = {"widened": "a default of another kind"}


def extreme_or_a_default(xs, n):
    above = xs[xs > n]
    return min(above, default=None), max(above, default=0.5), max(above, default=None, key=abs)
