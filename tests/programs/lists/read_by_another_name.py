"""One of two lists is changed, and then one of them is asked for its length."""

STAGES = ("cond",)
CASES = [(1,), (-1,)]


def read_by_another_name(x):
    first, second = [1], [2]
    if x > 0:
        chosen = first
    else:
        chosen = second
    chosen.append(3)
    return len(first)
