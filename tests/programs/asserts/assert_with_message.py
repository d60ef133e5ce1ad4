"""An `assert` with a message; the message is only made when the test fails."""

STAGES = ()
CASES = [(10, 5), (10, 0)]


def assert_with_message(x, divisor):
    assert divisor != 0, "the divisor must not be zero"
    return x // divisor
