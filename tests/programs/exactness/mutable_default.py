"""A mutable default value is one object for all calls of a function made once."""

PYTHON_ONLY = "identity of mutable containers"
CASES = [(3,), (0,)]


def mutable_default(n):
    def remember(v, seen=[]):
        if v not in seen:
            seen.append(v)
        return seen

    for i in range(n):
        remember(i % 2)
    return remember(9)
