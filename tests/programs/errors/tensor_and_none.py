"""A tensor beside what turns out to be None raises what Python raises."""

STAGES = ("cond",)
CASES = [(3,), (1,)]


def tensor_and_none(n):
    limit = None
    if n > 2:
        limit = n * 2
    try:
        total = n + limit
    except TypeError:
        total = -1
    return total, n < limit
