"""Python's message about arguments that do not fit names the function that is called."""

PYTHON_ONLY = "calls that fail"
CASES = [(3,)]


def takes(x, *, k=0):
    return x + k


def said_by(call):
    try:
        return call()
    except TypeError as error:
        return str(error).rpartition(".")[2]


def wrong_arguments(n):
    calls = [lambda: takes(1, k=n, **{"k": 2}), lambda: takes(*n), lambda: takes(1, **[n])]
    calls += [lambda: takes(), lambda: takes(n, 2, 3), lambda: takes(n, z=1), lambda: n()]
    return [said_by(call) for call in calls]
