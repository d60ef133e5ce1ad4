"""`sum`, `max`, `min`, `any` and `all` of a tensor, and `max`, `min` of several values."""

STAGES = ("while_loop",)
ALWAYS = {"return sum(xs)": "max() has raised before"}
CASES = [([3, -5, 4], 2), ([0], 9), ([], 9)]


def sums_and_extremes(xs, x):
    most = max(xs), min(xs), max(x, xs[0], 1), min(x, 3)
    return sum(xs), sum(xs, 100), any(v > 3 for v in xs), all(v > -9 for v in xs), most
