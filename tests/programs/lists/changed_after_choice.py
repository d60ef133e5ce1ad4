"""One of two lists is chosen by a tensor, then changed."""

STAGES = ("cond",)
CASES = [(1,), (-1,)]


def changed_after_choice(c):
    a = [1]
    b = [2]
    if c > 0:
        t = a
    else:
        t = b
    t.append(3)
    return a, b, t
