"""A list is shorter where something may raise than before it and after it."""

STAGES = ("try_except", "cond")
CASES = [(3,), (0,)]


def grown_again_after_raise(n):
    a = [2]
    try:
        a.pop()
        if n > 2:
            raise ValueError
        a.append(n)
    except ValueError:
        pass
    return a
