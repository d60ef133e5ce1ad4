"""A list that has its old length again at the end of a `try` was longer where it may raise."""

STAGES = ("try_except", "cond")
CASES = [(3,), (0,)]


def shrunk_after_raise(n):
    a, held = [1], {"k": [2]}
    try:
        a.append(0)
        held["k"].append(9)
        if n > 2:
            raise ValueError
        held["k"].pop()
        a.pop()
    except ValueError:
        pass
    a.append(n)
    return a, held
