"""Builtins use up generator expressions over a tensor."""

STAGES = ("while_loop",)
ALWAYS = {"ordered =": "max() has raised before", "kept =": "max() has raised before"}
CASES = [([3, -5, 1], 0), ([2, 2, 9], 2), ([3], 0), ([], 0)]


def consumed_generators(xs, least):
    total = sum(v * 2 for v in xs if v >= least)
    largest = max(v - 1 for v in xs)
    ordered = sorted(-v for v in xs)
    kept = list(v for v in xs if v > least)
    return total, largest, ordered, kept
