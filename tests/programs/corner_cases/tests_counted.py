"""The test of a `while` is evaluated once more than its body runs, with all it does."""

PYTHON_ONLY = "a log"
CASES = [(0,), (2,), (9,)]


def tests_counted(x):
    log = []

    def below(limit):
        log.append(x)
        return x < limit

    while below(5) and not below(-1):
        x += 1
    else:
        log.append("else")
    return x, log
