"""Where all keys are equal, `sorted` keeps the order and `max` and `min` choose the first."""

STAGES = ("while_loop",)
CASES = [([3, 1, 4],), ([2, 2, 1],)]


def equal_keys(xs):
    kept = sorted(xs, key=lambda x: "same"), sorted(xs, key=lambda x: (None, 1), reverse=True)
    return kept, max(xs, key=lambda x: 0), min(xs, key=lambda x: (x > 0, "same"))
