"""The body of a `try` assigns an item of a list that the handler takes away."""

STAGES = ("try_except", "cond")
CASES = [(3,), (7,)]


def item_or_shorter(n):
    a = [2]
    try:
        if n > 5:
            raise ValueError
        a[0] = 7
    except ValueError:
        a.pop()
    return a
