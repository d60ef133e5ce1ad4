"""The message expression of a passing `assert` has no effect."""

PYTHON_ONLY = "the message has a side effect"
CASES = [(1,), (0,)]


def message_not_evaluated(x):
    log = []
    try:
        assert x, log.append("made")
    except AssertionError as error:
        log.append(error.args)
    return log
