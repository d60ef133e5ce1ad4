"""The message of an `assert` is made of the values that are there when it fails, and only then."""

STAGES = ("while_loop", "cond")
CASES = [([1, 2, 3],), ([1, -2, 3],), ([],), ([1],)]


def assert_shows_value(xs):
    total = 0
    for v in xs:
        assert v >= 0, ("negative", v, total // v)
        total += v
    return total
