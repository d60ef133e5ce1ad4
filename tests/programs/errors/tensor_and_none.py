"""A tensor and a value that is None raise TypeError, which a handler catches."""

STAGES = ("cond",)
ALWAYS = {"total = n + limit if n < limit else 0": "the limit is twice n"}
CASES = [(3,), (1,)]


def tensor_and_none(n):
    limit = None
    if n > 2:
        limit = n * 2
    try:
        total = n + limit if n < limit else 0
    except TypeError:
        total = -1
    return total
