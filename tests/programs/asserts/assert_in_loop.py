"""An `assert` inside a loop stops it at the first element that fails."""

STAGES = ("while_loop",)
CASES = [([1, 2, 3],), ([1, -2, 3],), ([],), ([1],)]


def assert_in_loop(xs):
    total = 0
    for v in xs:
        assert v >= 0, "negative element"
        total += v
    return total
