"""An `assert` that guards a function."""

STAGES = ()
CASES = [(4,), (-4,)]


def assert_positive(x):
    assert x > 0
    return x * 2
