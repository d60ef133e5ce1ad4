"""One of two dicts is chosen and changed."""

STAGES = ("cond",)
CASES = [(1,), (5,)]


def dict_chosen_and_changed(x):
    low, high = {"n": 0}, {"n": 10}
    counts = high if x > 3 else low
    counts["n"] += x
    counts["n"] *= 2
    return low, high, counts
